/* Set the chosen theme before the first paint. A plain blocking script on purpose: a module would come too late. */
(function () {
  try {
    var theme = localStorage.getItem("upreg-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch (error) {
    /* storage is blocked: the system's choice stands */
  }
  document.documentElement.classList.add("js");
})();
