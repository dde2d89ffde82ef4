// Scenes of Framework7, in the look of iOS or of Material.
let app;
const row = (tree, at, more = "") => `<li><a href="#" class="item-link item-content row${at} ${more}"><div class="item-inner"><div class="item-title">${tree}</div><div class="item-after">${at + 3} m</div></div></a></li>`;
const list = (count, more = "") => `<div class="list list-strong-ios list-outline-ios inset-md"><ul>${lines(count, (tree, at) => row(tree, at, more))}</ul></div>`;
const bar = (title, more = "") => `<div class="navbar"><div class="navbar-bg"></div><div class="navbar-inner ${more}"><div class="title">${title}</div></div></div>`;
const button = (word, more = "", given = "") => `<a href="#" class="button button-fill ${more}" ${given}>${word}</a>`;
const home = (title, content, { beside = "", before = "", kind = "", view = "" } = {}) => `${beside}<div class="view view-main view-init" ${view}><div class="page">${bar(title)}${before}<div class="page-content ${kind}">${content}</div></div></div>`;

const show = (html, more = {}, then = () => {}) => {
  document.querySelector("#app").innerHTML = html;
  document.documentElement.classList.toggle("dark", LOOK.dark);
  app = new Framework7({ el: "#app", theme: LOOK.ios ? "ios" : "md", darkMode: LOOK.dark, colors: { primary: TINT }, ...more });
  then();
};
const on = (selector, call) => document.querySelector(selector).addEventListener("click", call);
const far = `<div class="page">${bar("Birch").replace('<div class="title">', '<div class="left"><a class="link back"><i class="icon icon-back"></i></a></div><div class="title">')}<div class="page-content"><div class="hill"></div><div class="block">${LOREM.repeat(5)}</div>${list(5)}</div></div>`;

scene("pages", () => show(home("Trees", list(9).replace('href="#" class="item-link item-content row2', 'href="/far/" class="item-link item-content row2')), { routes: [{ path: "/far/", content: far }] }),
  ["push", tap(".row2")],
  ["pop", tap(".page-current .link.back"), { before: [tap(".row2")] }]);

scene("dialogs", () => show(home("Trees", `<div class="block">${button("Alert", "a")}<br>${button("Confirm", "b")}<br>${button("Ask", "c")}</div>${list(6)}`), {}, () => {
  on(".a", () => app.dialog.alert("The birch has been felled.", "Trees"));
  on(".b", () => app.dialog.confirm("Delete three trees?", "Trees", () => app.toast.show({ text: "Deleted", closeTimeout: 9000 })));
  on(".c", () => app.dialog.prompt("How is it called?", "New tree"));
}),
  ["alert", tap(".a")],
  ["confirm", tap(".dialog-button:at(1)"), { before: [tap(".b")] }],
  ["cancel", tap(".dialog-button:at(0)"), { before: [tap(".b")] }],
  ["ask", tap(".c"), { caret: true }]);

scene("sheets", () => show(home("Map", `<div class="hill"></div><div class="block">${button("More", "sheet-open", 'data-sheet=".more"')}<br>${button("Page", "popup-open", 'data-popup=".whole"')}<br>${button("Options", "options")}<br>${button("Menu", "popover-open", 'data-popover=".menu"')}</div>${list(3)}`)
  + `<div class="sheet-modal more" style="height:320px"><div class="toolbar"><div class="toolbar-inner"><div class="left"></div><div class="right"><a class="link sheet-close">Done</a></div></div></div><div class="sheet-modal-inner"><div class="page-content">${list(4)}</div></div></div>
  <div class="popup whole"><div class="view"><div class="page"><div class="navbar"><div class="navbar-bg"></div><div class="navbar-inner"><div class="title">Whole</div><div class="right"><a class="link popup-close shut">Close</a></div></div></div><div class="page-content">${list(8)}</div></div></div></div>
  <div class="popover menu"><div class="popover-inner">${list(4)}</div></div>`, {}, () => {
  const actions = app.actions.create({ buttons: [[{ text: "Share", strong: true }, { text: "Water" }, { text: "Fell", color: "red" }], [{ text: "Cancel" }]] });
  on(".options", () => actions.open());
}),
  ["open", tap(".sheet-open")],
  ["close", tap(".sheet-close"), { before: [tap(".sheet-open")] }],
  ["popup", tap(".popup-open")],
  ["popup_close", tap(".shut"), { before: [tap(".popup-open")] }],
  ["actions", tap(".options")],
  ["actions_cancel", tap(".actions-button:at(3)"), { before: [tap(".options")] }],
  ["popover", tap(".popover-open")],
  ["popover_close", tap(".popover-backdrop"), { before: [tap(".popover-open")] }]);

scene("panels", () => show(`<div class="panel panel-left panel-${LOOK.colour % 2 ? "cover" : "reveal"}" style="width:260px"><div class="block">${LOREM}</div>${list(5)}</div>` + home("Trees", `<div class="block">${button("Panel", "panel-open", 'data-panel="left"')}</div>${list(8)}`)),
  ["open", tap(".panel-open")],
  ["close", tap("body", 0.95), { before: [tap(".panel-open")] }]);

const fold = (tree, at) => `<li class="accordion-item"><a class="item-link item-content fold${at}"><div class="item-inner"><div class="item-title">${tree}</div></div></a><div class="accordion-item-content"><div class="block"><p>${LOREM.repeat(2)}</p></div></div></li>`;
scene("folds", () => show(home("Questions", `<div class="list list-strong list-outline-ios accordion-list"><ul>${lines(7, fold)}</ul></div>`)),
  ["open", tap(".fold1")],
  ["close", tap(".fold1"), { before: [tap(".fold1")] }],
  ["other", tap(".fold3"), { before: [tap(".fold1")] }]);

const toggle = (tree, at) => `<li><div class="item-content"><div class="item-inner"><div class="item-title">${tree}</div><div class="item-after"><label class="toggle toggle-init t${at}"><input type="checkbox" ${at % 2 ? "checked" : ""}><span class="toggle-icon"></span></label></div></div></div></li>`;
const choice = (kind) => (tree, at) => `<li><label class="item-${kind} item-${kind}-icon-start item-content ${kind}${at}"><input type="${kind}" name="${kind}" ${at === 1 ? "checked" : ""}><i class="icon icon-${kind}"></i><div class="item-inner"><div class="item-title">${tree}</div></div></label></li>`;
scene("settings", () => show(home("Settings", `<div class="list list-strong"><ul>${lines(4, toggle)}</ul></div><div class="list list-strong"><ul>${lines(3, choice("checkbox"))}</ul></div><div class="list list-strong"><ul>${lines(3, choice("radio"))}</ul></div>`)),
  ["on", tap(".t2")],
  ["off", tap(".t1")],
  ["check", tap(".checkbox2")],
  ["choose", tap(".radio2")]);

scene("controls", () => show(home("Sound", `<div class="block"><p class="segmented segmented-strong"><button class="button button-active s0">Day</button><button class="button s1">Week</button><button class="button s2">Year</button><span class="segmented-highlight"></span></p></div>
  <div class="block"><div class="range-slider range-slider-init" data-min="0" data-max="100" data-value="30" data-label="true"></div></div>
  <div class="block"><div class="stepper stepper-fill stepper-init"><div class="stepper-button-minus"></div><div class="stepper-input-wrap"><input type="text" value="4" readonly></div><div class="stepper-button-plus plus"></div></div></div>
  <div class="block"><div class="progressbar"><span></span></div><br>${button("Load", "load")}</div>${list(4)}`), {}, () => {
  document.querySelectorAll(".segmented .button").forEach((one) => one.addEventListener("click", () => {
    document.querySelector(".segmented .button-active").classList.remove("button-active");
    one.classList.add("button-active");
  }));
  let percent = 10;
  on(".load", () => {
    const more = () => {
      percent += 18;
      app.progressbar.set(".progressbar", Math.min(100, percent));
      if (percent < 100) setTimeout(more, 220);
    };
    more();
  });
}),
  ["segment", tap(".s2")],
  ["drag", swipe(".range-knob", 120, 0, 420)],
  ["step", tap(".plus")],
  ["progress", tap(".load")]);

const swiped = (tree, at) => `<li class="swipeout w${at}"><div class="item-content swipeout-content"><div class="item-inner"><div class="item-title">${tree}</div></div></div><div class="swipeout-actions-right"><a class="color-orange">More</a><a class="swipeout-delete fell${at}">Delete</a></div></li>`;
scene("rows", () => show(home("Mail", `<div class="list list-strong"><ul>${lines(8, swiped)}</ul></div>`)),
  ["swipe", swipe(".w2", -150, 0, 200)],
  ["back", swipe(".w2", 160, 0, 200), { before: [swipe(".w2", -150, 0, 200)] }],
  ["delete", tap(".fell2"), { before: [swipe(".w2", -150, 0, 200)] }]);

scene("pull", () => show(home("News", `<div class="ptr-preloader"><div class="preloader"></div><div class="ptr-arrow"></div></div>${list(24)}`, { kind: "ptr-content" }), {}, () => {
  app.$(".ptr-content").on("ptr:refresh", () => setTimeout(() => {
    app.$(".list ul").prepend(row("New tree", 40));
    app.ptr.done(".ptr-content");
  }, 900));
}),
  ["refresh", swipe(".row1", 0, 180, 350), { seconds: 4 }],
  ["short", swipe(".row1", 0, 40, 200)]);


const tabs = (kind) => `<div class="view view-main"><div class="page">${bar("Tabs")}<div class="toolbar tabbar toolbar-bottom"><div class="toolbar-inner">${[0, 1, 2].map((at) => `<a href="#tab${at}" class="tab-link ${at ? "" : "tab-link-active"} l${at}">${TREES[at]}</a>`).join("")}</div></div><${kind === "swipeable" ? "swiper-container" : "div class=\"tabs-animated-wrap\""} ${kind === "swipeable" ? 'class="tabs"' : ""}>${kind === "swipeable" ? "" : '<div class="tabs">'}${[0, 1, 2].map((at) => `<${kind === "swipeable" ? "swiper-slide" : "div"} id="tab${at}" class="page-content tab ${at ? "" : "tab-active"}"><div class="block-title">${TREES[at]}</div>${list(4 + at)}<img src="${picture(at)}" style="width:100%"></${kind === "swipeable" ? "swiper-slide" : "div"}>`).join("")}${kind === "swipeable" ? "</swiper-container>" : "</div></div>"}</div></div>`;
scene("tabs", () => show(tabs("animated")), ["next", tap(".l1")], ["last", tap(".l2"), { before: [tap(".l1")] }]);
scene("swiped", () => show(tabs("swipeable")), ["swipe", swipe("#tab0", -180, 0, 160)], ["tap", tap(".l2")]);

scene("slides", () => show(home("Pictures", `<swiper-container pagination="true" space-between="20" slides-per-view="1">${[0, 1, 2, 3].map((at) => `<swiper-slide><img src="${picture(at)}" style="width:100%"></swiper-slide>`).join("")}</swiper-container><br><swiper-container effect="coverflow" slides-per-view="1.6" centered-slides="true">${[4, 5, 6, 7].map((at) => `<swiper-slide class="cover"><img src="${picture(at)}" style="width:100%"></swiper-slide>`).join("")}</swiper-container>`)),
  ["next", swipe("swiper-container:at(0)", -170, 0, 140)],
  ["bounce", swipe("swiper-container:at(0)", 120, 0, 200)],
  ["cover", swipe("swiper-container:at(1)", -130, 0, 180)]);

scene("words", () => show(home("Notes", `<div class="block">${button("Toast", "toast")}<br>${button("Toast with a button", "toast2")}<br>${button("Note", "note")}</div>${list(6)}`), {}, () => {
  on(".toast", () => app.toast.create({ text: "Archived one note", closeTimeout: 1200 }).open());
  on(".toast2", () => app.toast.create({ text: "Archived one note", closeButton: true, position: "top" }).open());
  on(".note", () => app.notification.create({ title: "Forest", subtitle: "Rain is coming", text: LOREM, closeTimeout: 9000 }).open());
}),
  ["come_and_go", tap(".toast"), { seconds: 3.4 }],
  ["top", tap(".toast2")],
  ["note", tap(".note")]);

scene("actions", () => show(home("Map", list(9), { before: `<div class="fab fab-right-bottom"><a href="#"><i class="icon">+</i><i class="icon">×</i></a><div class="fab-buttons fab-buttons-top"><a class="one">1</a><a>2</a><a>3</a></div></div>` })),
  ["dial", tap(".fab > a")],
  ["undial", tap(".fab > a"), { before: [tap(".fab > a")] }]);

scene("cards", () => show(home("Today", `<div class="card card-expandable"><div class="card-content"><div style="background:${TINT};height:240px"><div class="card-header" style="height:60px;color:#fff">Framed</div><a class="link card-close card-opened-fade-in shut" style="position:absolute;right:15px;top:15px;color:#fff">X</a></div><div class="card-content-padding"><p>${LOREM.repeat(7)}</p></div></div></div>${list(4)}`)),
  ["open", tap(".card-expandable")],
  ["close", tap(".shut"), { before: [tap(".card-expandable")] }]);

scene("calendar", () => show(home("Day", '<div class="block"><div id="calendar"></div></div>'), {}, () => {
  app.calendar.create({ containerEl: "#calendar", value: [new Date(2026, 2, 14)], disabled: [] });
}),
  ["day", tap(".calendar-month-current .calendar-day:at(17)")],
  ["month", tap(".calendar-next-month-button")],
  ["swipe", swipe(".calendar-months", -140, 0, 160)]);

scene("search", () => show(home("Trees", `<div class="list list-strong searched"><ul>${lines(10, row)}</ul></div>`, { before: `<form class="searchbar searchbar-init" data-search-container=".searched" data-search-in=".item-title"><div class="searchbar-inner"><div class="searchbar-input-wrap"><input type="search" placeholder="Search"><i class="searchbar-icon"></i><span class="input-clear-button"></span></div><span class="searchbar-disable-button">Cancel</span></div></form>` })),
  ["focus", tap("input[type=search]"), { caret: true }],
  ["type", key("l"), { before: [tap("input[type=search]")], caret: true }],
  ["cancel", tap(".searchbar-disable-button"), { before: [tap("input[type=search]")] }]);

const input = (word, at) => `<li class="item-content item-input item-input-outline"><div class="item-inner"><div class="item-title item-floating-label">${word}</div><div class="item-input-wrap"><input class="in${at}" type="text"><span class="input-clear-button"></span></div></div></li>`;
scene("form", () => show(home("New tree", `<div class="list list-strong"><ul>${["Name", "Height", "Place"].map(input).join("")}</ul></div><div class="block">${button("Save")}</div>`)),
  ["focus", tap(".in0"), { caret: true }],
  ["type", key("a"), { before: [tap(".in0")], caret: true }],
  ["other", tap(".in2"), { before: [tap(".in0"), key("B")], caret: true }]);

scene("messages", () => show(home("Chat", `<div class="messages">${lines(6, (tree, at) => `<div class="message message-${at % 2 ? "sent" : "received"}"><div class="message-content"><div class="message-bubble"><div class="message-text">${tree}? ${LOREM.slice(0, 30 + 7 * at)}</div></div></div></div>`)}</div>`, { before: `<div class="toolbar messagebar"><div class="toolbar-inner"><div class="messagebar-area"><textarea class="resizable" placeholder="Message"></textarea></div><a class="link send">Send</a></div></div>`, kind: "messages-content" }), {}, () => {
  const messages = app.messages.create({ el: ".messages" });
  on(".send", () => {
    messages.addMessage({ text: "Where do they grow?", type: "sent" });
    setTimeout(() => messages.showTyping({ header: "Rowan types" }), 400);
    setTimeout(() => {
      messages.hideTyping();
      messages.addMessage({ text: "Beside the lake.", type: "received" });
    }, 1300);
  });
}),
  ["send", tap(".send"), { seconds: 3.4 }]);
