import { defineConfig } from "@playwright/test";

/** The page in a real Chromium, against the real server. `scripts/e2e.sh` says where both are. */
export default defineConfig({
  testDir: "e2e",
  // `make page-bench` takes numbers, and tests nothing.
  testMatch: process.env.WEFT_MEASURE ? "measure.ts" : "*.spec.ts",
  outputDir: "../target/e2e/results",
  fullyParallel: false,
  workers: 2,
  retries: 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] },
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
