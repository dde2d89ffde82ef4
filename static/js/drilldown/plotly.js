/* Loads the drawing library once, and puts the theme's colours into a figure. */

let loading = null;

export function loadPlotly(address) {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => done(window.Plotly);
    script.onerror = () => failed(new Error("the drawing library could not be loaded"));
    document.head.append(script);
  });
  return loading;
}

/** A copy of the figure in which every "--token" is the colour that the token has now. */
export function themed(figure, element) {
  const style = getComputedStyle(element);
  return JSON.parse(JSON.stringify(figure), (_, value) =>
    typeof value === "string" && value.startsWith("--") ? style.getPropertyValue(value).trim() : value,
  );
}
