// Language and theme switches, and charts. No network: everything is in this folder.
(() => {
  "use strict";
  const root = document.documentElement;
  const PAPER_PIXELS = 680;
  const PHONE_PIXELS = 520;
  const kept = (key) => { try { return localStorage.getItem("arena-" + key); } catch { return null; } };
  const keep = (key, value) => { try { localStorage.setItem("arena-" + key, value); } catch { /* private mode */ } };

  const asked = new URLSearchParams(location.search);
  root.dataset.lang = asked.get("lang") || kept("lang") || ((navigator.language || "").startsWith("zh") ? "zh" : "en");
  const theme = asked.get("theme") || kept("theme");
  if (theme) root.dataset.theme = theme;
  const dark = () => root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;

  const draw = (width) => {
    if (!window.Plotly) return;
    const style = getComputedStyle(root);
    const color = (name) => style.getPropertyValue(name).trim();
    for (const node of document.querySelectorAll(".chart")) {
      const figure = JSON.parse(document.getElementById(node.dataset.figure).textContent);
      const axis = { gridcolor: color("--rule"), zerolinecolor: color("--soft"), linecolor: color("--rule") };
      const layout = figure.layout;
      Object.assign(layout, {
        width: width || node.clientWidth,
        paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
        font: { color: color("--ink"), family: getComputedStyle(document.body).fontFamily, size: 12 },
      });
      for (const key of Object.keys(layout)) {
        if (/^[xy]axis/.test(key)) layout[key] = { ...axis, ...layout[key] };
      }
      // Labels beside a narrow chart would leave it no room: there they stand above their rows.
      layout.yaxis.ticklabelposition = layout.width < PHONE_PIXELS ? "inside top" : "outside";
      for (const shape of layout.shapes || []) shape.line.color = color("--soft");
      window.Plotly.react(node, figure.data, layout, { displaylogo: false, displayModeBar: false });
    }
  };

  addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("[data-switch]")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        if (button.dataset.switch === "lang") {
          root.dataset.lang = root.dataset.lang === "zh" ? "en" : "zh";
          keep("lang", root.dataset.lang);
        } else {
          root.dataset.theme = dark() ? "light" : "dark";
          keep("theme", root.dataset.theme);
          draw();
        }
      });
    }
    draw();
    if (window.Plotly && window.ResizeObserver) {
      const watch = new ResizeObserver((entries) => {
        for (const { target, contentRect } of entries) {
          if (!matchMedia("print").matches && target.layout && Math.abs(target.layout.width - contentRect.width) > 1) {
            window.Plotly.relayout(target, {
              width: contentRect.width,
              "yaxis.ticklabelposition": contentRect.width < PHONE_PIXELS ? "inside top" : "outside",
            });
          }
        }
      });
      for (const node of document.querySelectorAll(".chart")) watch.observe(node);
    }
    // Paper is narrow and white whatever the screen is.
    let before = "";
    addEventListener("beforeprint", () => {
      before = root.dataset.theme || "";
      root.dataset.theme = "light";
      draw(PAPER_PIXELS);
    });
    addEventListener("afterprint", () => {
      if (before) root.dataset.theme = before; else delete root.dataset.theme;
      draw();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  });
})();
