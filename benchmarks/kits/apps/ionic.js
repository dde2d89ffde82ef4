// Scenes of Ionic, in the look of iOS or of Material.
const row = (tree, at, more = "") => `<ion-item button detail class="row${at}" ${more}><ion-icon slot="start" name="${["leaf", "rose", "flower"][at % 3]}-outline"></ion-icon><ion-label><h2>${tree}</h2><p>${at + 3} m high</p></ion-label></ion-item>`;
const list = (count) => `<ion-list>${lines(count, row)}</ion-list>`;
const bar = (title, start = "", end = "") => `<ion-header><ion-toolbar><ion-buttons slot="start">${start}</ion-buttons><ion-title>${title}</ion-title><ion-buttons slot="end">${end}</ion-buttons></ion-toolbar></ion-header>`;
const button = (word, name) => `<ion-button expand="block" class="${name}">${word}</ion-button>`;
const show = (html, then = () => {}) => {
  document.documentElement.style.setProperty("--tint", TINT);
  const made = document.createElement("ion-app");
  made.innerHTML = html;
  document.body.append(made);
  then(made);
};
const home = (title, content, more = "") => `<div class="ion-page">${bar(title)}<ion-content>${content}</ion-content>${more}</div>`;
const on = (selector, call) => document.querySelector(selector).addEventListener("click", call);
const present = async (tag, given) => {
  const made = Object.assign(document.createElement(tag), given);
  document.querySelector("ion-app").append(made);
  await made.present();
  return made;
};

scene("pages", () => {
  const page = (name, html) => customElements.define(name, class extends HTMLElement {
    connectedCallback() {
      this.innerHTML = html;
      this.querySelectorAll(".row2").forEach((one) => one.addEventListener("click", () => document.querySelector("ion-nav").push("page-far")));
    }
  });
  page("page-home", `${bar("Trees")}<ion-content>${list(9)}</ion-content>`);
  page("page-far", `${bar("Birch", '<ion-back-button default-href="/"></ion-back-button>')}<ion-content><img src="${picture(3)}"><p class="ion-padding">${LOREM.repeat(4)}</p>${list(3)}</ion-content>`);
  show('<ion-nav root="page-home"></ion-nav>');
},
  ["push", tap(".row2")],
  ["pop", tap("page-far ion-back-button"), { before: [tap(".row2")] }]);

scene("dialogs", () => show(home("Trees", `${button("Alert", "a")}${button("Ask", "b")}${button("Options", "c")}${button("Toast", "d")}${button("Menu", "e")}${button("Wait", "f")}${list(4)}`), () => {
  on(".a", () => present("ion-alert", { header: "Trees", message: "Delete three trees?", buttons: ["Keep", "Delete"] }));
  on(".b", () => present("ion-alert", { header: "Kind", inputs: TREES.slice(0, 4).map((label, at) => ({ type: "radio", label, value: label, checked: !at })), buttons: ["Cancel", "OK"] }));
  on(".c", () => present("ion-action-sheet", { header: "Birch", buttons: [{ text: "Share" }, { text: "Water" }, { text: "Fell", role: "destructive" }, { text: "Cancel", role: "cancel" }] }));
  on(".d", () => present("ion-toast", { message: "Archived one note", duration: 1300, position: LOOK.colour % 2 ? "top" : "bottom" }));
  on(".e", (event) => {
    const inside = element(`<ion-list>${lines(4, (tree) => `<ion-item button>${tree}</ion-item>`)}</ion-list>`);
    present("ion-popover", { component: inside, event });
  });
  on(".f", () => present("ion-loading", { message: "Please wait", duration: 1000 }));
}),
  ["alert", tap(".a")],
  ["keep", tap(".alert-button:at(0)"), { before: [tap(".a")] }],
  ["radio", tap(".alert-radio:at(2)"), { before: [tap(".b")] }],
  ["options", tap(".c")],
  ["options_cancel", tap(".action-sheet-cancel"), { before: [tap(".c")] }],
  ["toast", tap(".d"), { seconds: 3.6 }],
  ["popover", tap(".e")],
  ["loading", tap(".f"), { seconds: 3.4 }]);

const modal = (given) => {
  const inside = element(`<div class="ion-page">${bar("Birch", "", '<ion-button class="shut">Close</ion-button>')}<ion-content><img src="${picture(5)}"><p class="ion-padding">${LOREM.repeat(3)}</p>${list(4)}</ion-content></div>`);
  present("ion-modal", { component: inside, ...given }).then((made) => inside.querySelector(".shut").addEventListener("click", () => made.dismiss()));
};
scene("modals", () => show(home("Map", `<img src="${picture(1)}">${button("Card", "a")}${button("Sheet", "b")}${list(3)}`), (made) => {
  on(".a", () => modal({ presentingElement: made.querySelector(".ion-page") }));
  on(".b", () => modal({ breakpoints: [0, 0.4, 1], initialBreakpoint: 0.4 }));
}),
  ["card", tap(".a")],
  ["card_close", tap(".shut"), { before: [tap(".a")] }],
  ["sheet", tap(".b")],
  ["sheet_up", swipe("ion-modal ion-title", 0, -330, 260), { before: [tap(".b")] }],
  ["sheet_down", swipe("ion-modal ion-title", 0, 260, 200), { before: [tap(".b")] }]);

scene("menu", () => show(`<ion-menu content-id="main" type="${["overlay", "reveal", "push"][LOOK.colour % 3]}">${bar("Menu")}<ion-content>${list(5)}</ion-content></ion-menu><div class="ion-page" id="main">${bar("Trees", '<ion-button class="opens">Menu</ion-button>')}<ion-content>${list(8)}</ion-content></div>`, () => {
  on(".opens", () => document.querySelector("ion-menu").open());
}),
  ["open", tap(".opens")],
  ["close", tap("body", 0.95), { before: [tap(".opens")] }]);

scene("settings", () => show(home("Settings", `<ion-list>${lines(4, (tree, at) => `<ion-item><ion-toggle class="t${at}" ${at % 2 ? "checked" : ""}>${tree}</ion-toggle></ion-item>`)}${lines(3, (tree, at) => `<ion-item><ion-checkbox class="c${at}" ${at === 1 ? "checked" : ""}>${tree}</ion-checkbox></ion-item>`)}<ion-radio-group value="Birch">${lines(3, (tree, at) => `<ion-item><ion-radio class="r${at}" value="${tree}">${tree}</ion-radio></ion-item>`)}</ion-radio-group></ion-list>`)),
  ["on", tap(".t2")],
  ["off", tap(".t1")],
  ["check", tap(".c2")],
  ["choose", tap(".r2")]);

scene("controls", () => show(home("Sound", `<ion-segment value="Birch" class="ion-margin">${lines(3, (tree, at) => `<ion-segment-button class="s${at}" value="${tree}"><ion-label>${tree}</ion-label></ion-segment-button>`)}</ion-segment><ion-range class="ion-padding free" value="30" pin="true"></ion-range><ion-range class="ion-padding stepped" value="2" max="6" step="1" snaps="true" ticks="true"></ion-range><ion-progress-bar value="0.2"></ion-progress-bar>${button("Load", "load")}${list(4)}`), () => {
  on(".load", () => {
    const bar = document.querySelector("ion-progress-bar");
    [0.35, 0.6, 0.7, 1].forEach((value, at) => setTimeout(() => { bar.value = value; }, 260 * at));
  });
}),
  ["segment", tap(".s2")],
  ["drag", swipe(".free >> .range-knob-handle", 120, 0, 420)],
  ["step", swipe(".stepped >> .range-knob-handle", 110, 0, 320)],
  ["progress", tap(".load")]);

scene("rows", () => show(home("Mail", `<ion-list>${lines(8, (tree, at) => `<ion-item-sliding class="w${at}"><ion-item><ion-label>${tree}</ion-label></ion-item><ion-item-options side="end"><ion-item-option class="m${at}">More</ion-item-option><ion-item-option color="danger">Fell</ion-item-option></ion-item-options></ion-item-sliding>`)}</ion-list>`)),
  ["swipe", swipe(".w2", -130, 0, 200)],
  ["back", swipe(".w2", 140, 0, 200), { before: [swipe(".w2", -130, 0, 200)] }],
  ["short", swipe(".w4", -24, 0, 160)]);

scene("pull", () => show(home("News", `<ion-refresher slot="fixed"><ion-refresher-content></ion-refresher-content></ion-refresher>${list(9)}`), () => {
  document.querySelector("ion-refresher").addEventListener("ionRefresh", (event) => setTimeout(() => {
    document.querySelector("ion-list").prepend(element(row("New tree", 40)));
    event.target.complete();
  }, 900));
}),
  ["refresh", swipe(".row1", 0, 230, 400), { seconds: 4.5 }]);

scene("folds", () => show(home("Questions", `<ion-accordion-group>${lines(6, (tree, at) => `<ion-accordion value="${tree}"><ion-item slot="header" class="fold${at}"><ion-label>${tree}</ion-label></ion-item><div class="ion-padding" slot="content">${LOREM.repeat(2)}</div></ion-accordion>`)}</ion-accordion-group>`)),
  ["open", tap(".fold1")],
  ["close", tap(".fold1"), { before: [tap(".fold1")] }],
  ["other", tap(".fold3"), { before: [tap(".fold1")] }]);

scene("tabs", () => show(`<ion-tabs>${lines(3, (tree, at) => `<ion-tab tab="t${at}">${bar(tree)}<ion-content><img src="${picture(at)}">${list(3 + at)}</ion-content></ion-tab>`)}<ion-tab-bar slot="bottom">${lines(3, (tree, at) => `<ion-tab-button tab="t${at}" class="b${at}"><ion-icon name="${["leaf", "rose", "flower"][at]}"></ion-icon><ion-label>${tree}</ion-label></ion-tab-button>`)}</ion-tab-bar></ion-tabs>`),
  ["next", tap(".b1")],
  ["last", tap(".b2"), { before: [tap(".b1")] }]);

scene("dial", () => show(home("Map", list(8), `<ion-fab slot="fixed" vertical="bottom" horizontal="end"><ion-fab-button class="main"><ion-icon name="add"></ion-icon></ion-fab-button><ion-fab-list side="top"><ion-fab-button><ion-icon name="leaf"></ion-icon></ion-fab-button><ion-fab-button><ion-icon name="rose"></ion-icon></ion-fab-button></ion-fab-list></ion-fab>`)),
  ["open", tap(".main")],
  ["close", tap(".main"), { before: [tap(".main")] }]);

scene("day", () => show(home("Day", '<ion-datetime presentation="date" value="2026-03-14" prefer-wheel="false"></ion-datetime>')),
  ["choose", tap("ion-datetime >> .calendar-day[data-month='3'][data-day='20']")],
  ["month", tap("ion-datetime >> .calendar-next-prev ion-button:at(1)")]);

scene("form", () => show(home("New tree", `<ion-searchbar animated="true" show-cancel-button="focus"></ion-searchbar><ion-list><ion-item><ion-input class="in0" label="Name" label-placement="floating"></ion-input></ion-item><ion-item><ion-input class="in1" label="Height" label-placement="floating" fill="outline"></ion-input></ion-item><ion-item><ion-select label="Kind" label-placement="floating" interface="popover">${lines(5, (tree) => `<ion-select-option value="${tree}">${tree}</ion-select-option>`)}</ion-select></ion-item></ion-list>`)),
  ["focus", tap(".in0"), { caret: true }],
  ["type", key("a"), { before: [tap(".in0")], caret: true }],
  ["search", tap("ion-searchbar"), { caret: true }],
  ["select", tap("ion-select")]);

scene("order", () => show(home("Order", `<ion-list><ion-reorder-group disabled="false">${lines(7, (tree, at) => `<ion-item class="o${at}"><ion-label>${tree}</ion-label><ion-reorder slot="end"></ion-reorder></ion-item>`)}</ion-reorder-group></ion-list>`), () => {
  document.querySelector("ion-reorder-group").addEventListener("ionItemReorder", (event) => event.detail.complete());
}),
  ["move", swipe(".o1 ion-reorder", 0, 130, 700)]);
