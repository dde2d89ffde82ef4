/* Plotly, which is large: fetched by the pages that draw with it, when they do. */

import { Failure } from "./ask.js";

let loading = null;

/** The drawing library, loaded once. */
export function loadPlotly(address) {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = () => done(window.Plotly);
    script.onerror = () => {
      loading = null; // the next call asks again
      failed(new Failure("unreachable"));
    };
    document.head.append(script);
  });
  return loading;
}
