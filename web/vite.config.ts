import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// `npm run dev` shows the page with a server that runs elsewhere: WEFT=http://127.0.0.1:8787.
const server = process.env.WEFT ?? "http://127.0.0.1:8787";
const proxied = { target: server, changeOrigin: true, headers: { origin: server } };

export default defineConfig({
  plugins: [react()],
  // Browsers that know light-dark(): the tokens stay as they are written.
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": proxied, "/v1": proxied } },
});
