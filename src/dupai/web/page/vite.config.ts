import { defineConfig } from "vite";

// The build goes into the package, so that nobody needs Node to play. `npm run dev` shows the page while you edit it
// and asks a running `dupai web` for everything else.
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
