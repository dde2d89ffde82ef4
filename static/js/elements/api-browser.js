/* <api-browser src="…/schema/" data-script="…/swagger-ui-bundle.js" data-style="…/swagger-ui.css">
     <form hidden>the form token</form> <button data-try>…</button> <div data-list>all addresses</div> <div data-tried hidden></div>
   Puts Swagger UI in the place of the list when the button is pressed: its megabyte is loaded only then. Requests go out
   with the session of whoever looks, and with the token of the form. */

class ApiBrowser extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector("[data-try]");
    button.hidden = false;
    button.addEventListener("click", () => this.open(button), { once: true });
  }

  async open(button) {
    button.disabled = true;
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: this.dataset.style });
    const script = Object.assign(document.createElement("script"), { src: this.dataset.script });
    const loaded = [style, script].map(
      (node) => new Promise((resolve, reject) => Object.assign(node, { onload: resolve, onerror: reject })),
    );
    document.head.append(style, script);
    try {
      await Promise.all(loaded);
    } catch {
      button.textContent = "The server did not send it: load the page again.";
      return;
    }
    this.show();
    button.remove();
  }

  show() {
    const place = this.querySelector("[data-tried]");
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--surface").trim() !== "rgb(255, 255, 255)";
    document.documentElement.classList.toggle("dark-mode", dark);
    this.querySelector("[data-list]").hidden = true;
    place.hidden = false;
    const token = this.querySelector("[name=csrfmiddlewaretoken]").value;
    window.SwaggerUIBundle({
      url: this.getAttribute("src"),
      domNode: place,
      presets: [window.SwaggerUIBundle.presets.apis],
      layout: "BaseLayout",
      validatorUrl: null, // would ask a server of its makers
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      showMutatedRequest: false, // the example of a script without the token of the form
      requestInterceptor: (request) => {
        if (new URL(request.url, location.href).origin === location.origin) request.headers["X-CSRFToken"] = token;
        return request;
      },
    });
  }
}

customElements.define("api-browser", ApiBrowser);
