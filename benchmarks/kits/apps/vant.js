// Scenes of Vant, whose look is its own.
const show = (inside, data = {}, methods = {}) => {
  const template = `<van-config-provider theme="${LOOK.dark ? "dark" : "light"}" :theme-vars="{primaryColor: '${TINT}'}"><van-nav-bar title="Trees" left-arrow></van-nav-bar>${inside}</van-config-provider>`;
  Vue.createApp({ template, data: () => ({ trees: TREES, lorem: LOREM, ...data }), methods }).use(vant).mount("#app");
};
const cells = (count) => `<van-cell-group inset>${lines(count, (tree, at) => `<van-cell title="${tree}" value="${at + 3} m" is-link clickable class="row${at}"></van-cell>`)}</van-cell-group>`;
const button = (word, name, does) => `<p class="inside"><van-button type="primary" block class="${name}" @click="${does}">${word}</van-button></p>`;

scene("dialogs", () => show(`${button("Confirm", "a", "asks")}${button("Toast", "b", "says")}${button("Wait", "c", "waits")}${button("Note", "d", "notes")}${cells(4)}`, {}, {
  asks: () => vant.showConfirmDialog({ title: "Trees", message: "Delete three trees?", confirmButtonText: "Delete", cancelButtonText: "Keep" }).catch(() => {}),
  says: () => vant.showToast({ message: "Archived", duration: 1200 }),
  waits: () => vant.showSuccessToast({ message: "Saved", duration: 9000 }),
  notes: () => vant.showNotify({ type: "success", message: "Rain is coming", duration: 1400 }),
}),
  ["confirm", tap(".a")],
  ["keep", tap(".van-dialog__cancel"), { before: [tap(".a")] }],
  ["delete", tap(".van-dialog__confirm"), { before: [tap(".a")] }],
  ["toast", tap(".b"), { seconds: 3.2 }],
  ["success", tap(".c")],
  ["note", tap(".d"), { seconds: 3.2 }]);

scene("sheets", () => show(`${button("Options", "a", "one = true")}${button("Share", "b", "two = true")}${button("Page", "c", "three = true")}${button("Wheel", "d", "four = true")}${cells(4)}
  <van-action-sheet v-model:show="one" :actions="trees.slice(0, 4).map((name) => ({name}))" cancel-text="Cancel" close-on-click-action></van-action-sheet>
  <van-share-sheet v-model:show="two" title="Share" :options="[{name: 'Link', icon: '${picture(1, 48, 48)}'}, {name: 'Code', icon: '${picture(2, 48, 48)}'}, {name: 'Card', icon: '${picture(4, 48, 48)}'}]"></van-share-sheet>
  <van-popup v-model:show="three" position="right" :style="{width: '80%', height: '100%'}" closeable><img src="${picture(3)}"><p class="inside">{{ lorem.repeat(4) }}</p></van-popup>
  <van-popup v-model:show="four" position="bottom" round><van-picker title="Kind" confirm-button-text="Done" cancel-button-text="Back" :columns="trees.map((text) => ({text, value: text}))" @confirm="four = false" @cancel="four = false"></van-picker></van-popup>`, { one: false, two: false, three: false, four: false }),
  ["options", tap(".a")],
  ["choose", tap(".van-action-sheet__item:at(1)"), { before: [tap(".a")] }],
  ["share", tap(".b")],
  ["page", tap(".c")],
  ["page_close", tap(".van-popup__close-icon"), { before: [tap(".c")] }],
  ["wheel", tap(".d")],
  ["wheel_roll", swipe(".van-picker-column", 0, -60, 240), { before: [tap(".d")] }],
  ["wheel_fling", swipe(".van-picker-column", 0, -110, 110), { before: [tap(".d")] }],
  ["wheel_done", tap(".van-picker__confirm"), { before: [tap(".d")] }]);

scene("slides", () => show(`<van-swipe :loop="${LOOK.colour % 2 === 0}" indicator-color="white">${[0, 1, 2, 3].map((at) => `<van-swipe-item><img src="${picture(at)}"></van-swipe-item>`).join("")}</van-swipe>${cells(5)}`),
  ["next", swipe(".van-swipe", -170, 0, 140)],
  ["slow", swipe(".van-swipe", -60, 0, 500)]);

scene("tabs", () => show(`<van-tabs v-model:active="active" animated swipeable>${lines(4, (tree, at) => `<van-tab title="${tree}"><img src="${picture(at)}"><p class="inside">{{ lorem.repeat(${at + 2}) }}</p></van-tab>`)}</van-tabs>`, { active: 0 }),
  ["next", tap(".van-tab:at(1)")],
  ["far", tap(".van-tab:at(3)")],
  ["swipe", swipe(".van-tab__panel", -180, 0, 160)]);

scene("folds", () => show(`<van-collapse v-model="open" ${LOOK.colour % 2 ? "accordion" : ""}>${lines(6, (tree, at) => `<van-collapse-item title="${tree}" name="${at}" class="fold${at}">{{ lorem.repeat(3) }}</van-collapse-item>`)}</van-collapse>`, { open: LOOK.colour % 2 ? "" : [] }),
  ["open", tap(".fold1 .van-cell")],
  ["close", tap(".fold1 .van-cell"), { before: [tap(".fold1 .van-cell")] }],
  ["other", tap(".fold3 .van-cell"), { before: [tap(".fold1 .van-cell")] }]);

scene("rows", () => show(`${lines(6, (tree, at) => `<van-swipe-cell class="w${at}"><van-cell title="${tree}" value="${at + 3} m"></van-cell><template #right><van-button square type="danger" text="Fell"></van-button><van-button square type="primary" text="More"></van-button></template></van-swipe-cell>`)}`),
  ["swipe", swipe(".w2", -140, 0, 200)],
  ["back", swipe(".w2", 150, 0, 200), { before: [swipe(".w2", -140, 0, 200)] }],
  ["close", tap(".w2 .van-cell"), { before: [swipe(".w2", -140, 0, 200)] }]);

scene("pull", () => show(`<van-pull-refresh v-model="loading" success-text="Fresh" pulling-text="Pull" loosing-text="Let go" loading-text="Wait" @refresh="fresh" class="pulled"><van-cell v-for="tree in trees" :title="tree"></van-cell></van-pull-refresh>`, { loading: false }, {
  fresh() {
    setTimeout(() => {
      this.trees = ["New tree", ...this.trees];
      this.loading = false;
    }, 800);
  },
}),
  ["refresh", swipe(".van-pull-refresh .van-cell:at(1)", 0, 200, 350), { seconds: 4 }],
  ["short", swipe(".van-pull-refresh .van-cell:at(1)", 0, 60, 200)]);

scene("settings", () => show(`${cells(2)}<van-cell title="Rain"><template #right-icon><van-switch v-model="a"></van-switch></template></van-cell><van-cell title="Wind"><template #right-icon><van-switch v-model="b"></van-switch></template></van-cell><div class="inside"><van-checkbox v-model="c" class="check">Snow</van-checkbox><br><van-radio-group v-model="d"><van-radio name="1">Birch</van-radio><br><van-radio name="2">Cedar</van-radio></van-radio-group><br><van-stepper v-model="e"></van-stepper><br><van-rate v-model="f"></van-rate><br><br><van-slider v-model="g" class="slide"></van-slider></div>`, { a: false, b: true, c: false, d: "1", e: 3, f: 2, g: 30 }),
  ["on", tap(".van-switch:at(0)")],
  ["off", tap(".van-switch:at(1)")],
  ["check", tap(".check")],
  ["choose", tap(".van-radio:at(1)")],
  ["step", tap(".van-stepper__plus")],
  ["rate", tap(".van-rate__item:at(4)")],
  ["slide", swipe(".van-slider__button", 130, 0, 420)],
  ["jump", tap(".slide")]);

scene("images", () => show(`<div class="inside"><img class="one" src="${picture(2)}" @click="zooms"></div>${cells(5)}`, {}, { zooms: () => vant.showImagePreview([picture(2), picture(5), picture(6)]) }),
  ["open", tap(".one")],
  ["next", swipe(".van-image-preview", -170, 0, 140), { before: [tap(".one")] }],
  ["close", tap(".van-image-preview"), { before: [tap(".one")] }]);

scene("choices", () => show(`<van-dropdown-menu><van-dropdown-item v-model="a" :options="kinds"></van-dropdown-item><van-dropdown-item title="More">${cells(2)}</van-dropdown-item></van-dropdown-menu>${cells(6)}<van-popover v-model:show="pop" :actions="kinds.slice(0, 3)"><template #reference><van-button type="primary" class="pops">Menu</van-button></template></van-popover>`, { a: 0, pop: false, kinds: TREES.slice(0, 5).map((text, value) => ({ text, value })) }),
  ["open", tap(".van-dropdown-menu__item:at(0)")],
  ["choose", tap(".van-dropdown-item__option:at(2)"), { before: [tap(".van-dropdown-menu__item:at(0)")] }],
  ["popover", tap(".pops")]);

scene("keys", () => show(`<van-password-input :value="value" :focused="true"></van-password-input><van-number-keyboard v-model="value" :show="shown" @blur="shown = false"></van-number-keyboard>${button("Keys", "keys", "shown = true")}`, { value: "12", shown: false }),
  ["open", tap(".keys"), { caret: true }],
  ["type", tap(".van-key:at(4)"), { before: [tap(".keys")], caret: true }],
  ["close", tap(".van-nav-bar"), { before: [tap(".keys")], caret: true }]);

scene("day", () => show(`<van-calendar title="Day" :poppable="false" :show-confirm="false" :min-date="new Date(2026, 2, 1)" :max-date="new Date(2026, 5, 30)" :default-date="new Date(2026, 2, 14)" style="height: 500px"></van-calendar>`),
  ["choose", tap(".van-calendar__day:at(19)")]);

scene("bars", () => show(`<van-tabbar v-model="active">${["home-o", "search", "friends-o", "setting-o"].map((icon, at) => `<van-tabbar-item icon="${icon}" class="b${at}">${TREES[at]}</van-tabbar-item>`).join("")}</van-tabbar><van-sidebar v-model="side">${lines(5, (tree) => `<van-sidebar-item title="${tree}"></van-sidebar-item>`)}</van-sidebar><div class="inside"><van-progress :percentage="percent" stroke-width="8"></van-progress><br><van-circle v-model:current-rate="now" :rate="percent" :speed="120" :text="percent + '%'"></van-circle></div>${button("Grow", "grow", "percent = 85")}`, { active: 0, side: 0, percent: 20, now: 20 }),
  ["tab", tap(".b2")],
  ["side", tap(".van-sidebar-item:at(3)")],
  ["grow", tap(".grow")]);

scene("form", () => show(`<van-form><van-cell-group inset><van-field v-model="a" label="Name" placeholder="How is it called?" class="in0"></van-field><van-field v-model="b" label="Height" placeholder="In metres" :rules="[{required: true, message: 'How high is it?'}]"></van-field></van-cell-group><p class="inside"><van-button block type="primary" native-type="submit" class="save">Save</van-button></p></van-form><van-floating-panel :anchors="[120, 420]" class="floats">${cells(5)}</van-floating-panel>`, { a: "", b: "" }),
  ["type", key("a"), { before: [tap(".in0 input")], caret: true }],
  ["save", tap(".save"), { caret: true }],
  ["panel", swipe(".van-floating-panel__header", 0, -200, 220)]);
