// What makes `sample-1.1` slower than `sample-1.0`: the recorder runs it in each page before the page's own scripts
// (plan-pair.yaml). README.md says what to expect of each.
const busy = ms => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
const on = (kind, work) => addEventListener(kind, work, { capture: true, passive: true })

function slowSidePanel() {
  const parts = '.panel, .views, .panel-overlay'
  on('transitionrun', event => {
    if (!event.target.matches(parts)) return
    for (const each of event.target.getAnimations()) each.playbackRate = 0.55
  })
}

function slowScrolling() {
  let [last, frame] = [0, 0]
  const each = () => {
    if (frame++ % 2) busy(45)
    if (performance.now() - last < 300) requestAnimationFrame(each)
    else frame = 0
  }
  on('scroll', () => {
    const rests = !frame
    last = performance.now()
    if (rests) requestAnimationFrame(each)
  })
}

function slowAccordion() {
  on('touchend', event => {
    if (event.target.closest('.accordion-item')) busy(25)
  })
}

const slower = {
  'io-framework7-kitchensink'() {
    busy(260) // the launch, before anything is drawn
    slowSidePanel()
    slowScrolling()
    slowAccordion()
  },
  'com-todomvc-react': () => on('keydown', event => event.key === 'Enter' && busy(70)),
  'com-gabrielecirulli-g2048': () => on('touchend', () => busy(40)),
}

const [app] = location.hostname.split('.') // its name, and a part that tells it from others
if (location.pathname !== '/--home-screen') slower[app.replace(/-[0-9a-f]{8}$/, '')]?.()
