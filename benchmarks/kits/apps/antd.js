// Scenes of Ant Design Mobile, whose look is its own; its springs are those of react-spring.
const kit = antdMobile;
const h = React.createElement;
const show = (inside) => {
  document.documentElement.setAttribute("data-prefers-color-scheme", LOOK.dark ? "dark" : "light");
  document.documentElement.style.setProperty("--adm-color-primary", TINT);
  const App = () => h("div", null, h(kit.NavBar, { onBack: () => {} }, "Trees"), inside());
  ReactDOM.createRoot(document.querySelector("#app")).render(h(App));
};
const cells = (count) => h(kit.List, { mode: "card" }, TREES.slice(0, count).map((tree, at) => h(kit.List.Item, { key: at, className: `row${at}`, extra: `${at + 3} m`, onClick: () => {} }, tree)));
const button = (word, name, does) => h("div", { className: "inside" }, h(kit.Button, { block: true, color: "primary", className: name, onClick: does }, word));
const text = (times) => h("p", { className: "inside" }, LOREM.repeat(times));
const hill = (at) => h("img", { src: picture(at) });
const state = (first) => React.useState(first);

scene("dialogs", () => show(() => h("div", null,
  button("Confirm", "a", () => kit.Dialog.confirm({ content: "Delete three trees?", confirmText: "Delete", cancelText: "Keep" })),
  button("Toast", "b", () => kit.Toast.show({ content: "Archived", duration: 1200 })),
  button("Options", "c", () => kit.ActionSheet.show({ actions: TREES.slice(0, 4).map((name) => ({ text: name, key: name })), cancelText: "Cancel", closeOnAction: true })),
  button("Modal", "d", () => kit.Modal.alert({ image: picture(2), title: "Trees", content: LOREM, confirmText: "Good" })),
  cells(4))),
  ["confirm", tap(".a")],
  ["keep", tap(".adm-dialog-button:at(0)"), { before: [tap(".a")] }],
  ["toast", tap(".b"), { seconds: 3.2 }],
  ["options", tap(".c")],
  ["options_choose", tap(".adm-action-sheet-button-item:at(1)"), { before: [tap(".c")] }],
  ["modal", tap(".d")],
  ["modal_close", tap(".adm-modal-button"), { before: [tap(".d")] }]);

scene("sheets", () => show(() => {
  const [below, setBelow] = state(false);
  const [side, setSide] = state(false);
  const [wheel, setWheel] = state(false);
  return h("div", null, button("Sheet", "a", () => setBelow(true)), button("Page", "b", () => setSide(true)), button("Wheel", "c", () => setWheel(true)), cells(5),
    h(kit.Popup, { visible: below, onMaskClick: () => setBelow(false), bodyStyle: { height: "45vh" } }, hill(1), text(2)),
    h(kit.Popup, { visible: side, position: "right", showCloseButton: true, onClose: () => setSide(false), bodyStyle: { width: "75vw" } }, text(4)),
    h(kit.Picker, { visible: wheel, onClose: () => setWheel(false), columns: [TREES.map((label) => ({ label, value: label })), TREES.map((label, at) => ({ label: `${at + 3} m`, value: at }))] }));
}),
  ["open", tap(".a")],
  ["close", tap(".adm-mask:at(0)"), { before: [tap(".a")] }],
  ["page", tap(".b")],
  ["page_close", tap(".adm-popup-close-icon"), { before: [tap(".b")] }],
  ["wheel", tap(".c")],
  ["wheel_roll", swipe(".adm-picker-view-column:at(0)", 0, -60, 240), { before: [tap(".c")] }],
  ["wheel_fling", swipe(".adm-picker-view-column:at(1)", 0, -110, 110), { before: [tap(".c")] }]);

scene("slides", () => show(() => h("div", null, h(kit.Swiper, { loop: LOOK.colour % 2 === 0 }, [0, 1, 2, 3].map((at) => h(kit.Swiper.Item, { key: at }, hill(at)))), cells(5))),
  ["next", swipe(".adm-swiper", -170, 0, 140)],
  ["slow", swipe(".adm-swiper", -60, 0, 500)],
  ["bounce", swipe(".adm-swiper", 140, 0, 200)]);

scene("tabs", () => show(() => h("div", null, h(kit.Tabs, null, TREES.slice(0, 4).map((tree, at) => h(kit.Tabs.Tab, { title: tree, key: tree }, hill(at), text(at + 2)))), h(kit.CapsuleTabs, null, TREES.slice(4, 8).map((tree, at) => h(kit.CapsuleTabs.Tab, { title: tree, key: tree }, text(at + 1)))))),
  ["next", tap(".adm-tabs-tab:at(1)")],
  ["far", tap(".adm-tabs-tab:at(3)")],
  ["capsule", tap(".adm-capsule-tabs-tab:at(2)")]);

scene("folds", () => show(() => h(kit.Collapse, { accordion: LOOK.colour % 2 === 1 }, TREES.slice(0, 6).map((tree, at) => h(kit.Collapse.Panel, { key: `${at}`, title: tree, className: `fold${at}` }, LOREM.repeat(3))))),
  ["open", tap(".adm-list-item:at(1)")],
  ["close", tap(".adm-list-item:at(1)"), { before: [tap(".adm-list-item:at(1)")] }]);

scene("rows", () => show(() => h(kit.List, null, TREES.slice(0, 7).map((tree, at) => h(kit.SwipeAction, { key: at, className: `w${at}`, rightActions: [{ key: "more", text: "More", color: "primary" }, { key: "fell", text: "Fell", color: "danger" }] }, h(kit.List.Item, null, tree))))),
  ["swipe", swipe(".w2", -140, 0, 200)],
  ["back", swipe(".w2", 150, 0, 200), { before: [swipe(".w2", -140, 0, 200)] }],
  ["close", tap(".w4"), { before: [swipe(".w2", -140, 0, 200)] }]);

scene("pull", () => show(() => {
  const [count, setCount] = state(8);
  return h(kit.PullToRefresh, { onRefresh: () => new Promise((done) => setTimeout(() => {
    setCount(9);
    done();
  }, 800)), completeText: "Fresh", pullingText: "Pull", canReleaseText: "Let go", refreshingText: "Wait" }, cells(count), hill(1), hill(2));
}),
  ["refresh", swipe(".row1", 0, 180, 350), { seconds: 4 }],
  ["short", swipe(".row1", 0, 60, 200)]);

scene("settings", () => show(() => h("div", null, h(kit.List, null, [0, 1].map((at) => h(kit.List.Item, { key: at, extra: h(kit.Switch, { defaultChecked: at === 1, className: `t${at}` }) }, TREES[at]))),
  h("div", { className: "inside" }, h(kit.Checkbox, { className: "check" }, "Snow"), h("br"), h(kit.Radio.Group, { defaultValue: "1" }, h(kit.Radio, { value: "1" }, "Birch"), h("br"), h(kit.Radio, { value: "2", className: "second" }, "Cedar")), h("br"),
    h(kit.Stepper, { defaultValue: 3 }), h("br"), h(kit.Rate, { defaultValue: 2 }), h(kit.Slider, { defaultValue: 30, popover: true }), h(kit.Selector, { defaultValue: ["Birch"], options: TREES.slice(0, 3).map((label) => ({ label, value: label })) })))),
  ["on", tap(".t0")],
  ["off", tap(".t1")],
  ["check", tap(".check")],
  ["choose", tap(".second")],
  ["step", tap(".adm-stepper-plus")],
  ["rate", tap(".adm-rate-box:at(4)")],
  ["slide", swipe(".adm-slider-thumb-container", 130, 0, 420)],
  ["select", tap(".adm-selector-item:at(2)")]);

scene("panels", () => show(() => h("div", null, hill(0), cells(3), h(kit.FloatingPanel, { anchors: [110, 420, 620] }, text(3), cells(5)))),
  ["up", swipe(".adm-floating-panel-header", 0, -220, 240)],
  ["little", swipe(".adm-floating-panel-header", 0, -50, 200)],
  ["far", swipe(".adm-floating-panel-header", 0, -430, 300)]);

scene("images", () => show(() => h("div", null, h("div", { className: "inside one", onClick: () => kit.ImageViewer.Multi.show({ images: [2, 5, 6].map((at) => picture(at)), defaultIndex: 0 }) }, hill(2)), cells(4))),
  ["open", tap(".one")],
  ["next", swipe(".adm-image-viewer-content", -190, 0, 140), { before: [tap(".one")] }],
  ["close", tap(".adm-image-viewer-content"), { before: [tap(".one")] }]);

scene("choices", () => show(() => h("div", null, h(kit.Dropdown, null, h(kit.Dropdown.Item, { key: "sort", title: "Sort" }, h("div", { className: "inside" }, text(2))), h(kit.Dropdown.Item, { key: "more", title: "More" }, cells(3))), cells(5))),
  ["open", tap(".adm-dropdown-item:at(0)")],
  ["other", tap(".adm-dropdown-item:at(1)"), { before: [tap(".adm-dropdown-item:at(0)")] }],
  ["close", tap(".adm-dropdown-item:at(0)"), { before: [tap(".adm-dropdown-item:at(0)")] }]);

scene("keys", () => show(() => {
  const [shown, setShown] = state(false);
  const [code, setCode] = state("12");
  return h("div", null, h(kit.PasscodeInput, { value: code, caret: false }), button("Keys", "keys", () => setShown(true)), cells(3), h(kit.NumberKeyboard, { visible: shown, onClose: () => setShown(false), onInput: (digit) => setCode((old) => old + digit) }));
}),
  ["open", tap(".keys"), { caret: true }],
  ["type", tap(".adm-number-keyboard-key:at(4)"), { before: [tap(".keys")], caret: true }]);

scene("bars", () => show(() => {
  const [percent, setPercent] = state(20);
  return h("div", null, h(kit.TabBar, null, TREES.slice(0, 4).map((title, at) => h(kit.TabBar.Item, { key: title, title, icon: h("span", null, "●○◆◇"[at]) }))), h(kit.SideBar, null, TREES.slice(0, 4).map((title) => h(kit.SideBar.Item, { key: title, title }))),
    h("div", { className: "inside" }, h(kit.ProgressBar, { percent }), h("br"), h(kit.ProgressCircle, { percent }, `${percent} %`), h("br"), h(kit.Steps, { current: 1 }, TREES.slice(0, 3).map((title) => h(kit.Steps.Step, { key: title, title })))), button("Grow", "grow", () => setPercent(85)));
}),
  ["tab", tap(".adm-tab-bar-item:at(2)")],
  ["side", tap(".adm-side-bar-item:at(3)")],
  ["grow", tap(".grow")]);

scene("search", () => show(() => h("div", null, h("div", { className: "inside" }, h(kit.SearchBar, { placeholder: "Search", showCancelButton: true, cancelText: "Cancel" })), h(kit.IndexBar, { style: { height: "500px" } }, TREES.slice(0, 6).map((tree) => h(kit.IndexBar.Panel, { index: tree[0], title: tree, key: tree }, cells(3)))))),
  ["focus", tap(".adm-search-bar input"), { caret: true }],
  ["type", key("a"), { before: [tap(".adm-search-bar input")], caret: true }]);
