import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "./api/client";
import { router } from "./router";
import { showLight } from "./shell/kept";
import { Toasts } from "./ui/toasts";
import "./ui/base.css";
import "./ui/parts.css";

showLight();

// What the server refuses it refuses again; only what it could not do is asked for once more.
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failed, fault) => failed < 2 && fault instanceof Problem && (fault.status === 0 || fault.status >= 500),
    },
  },
});

const page = document.getElementById("page");
if (!page) throw new Error("there is no #page");
createRoot(page).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
