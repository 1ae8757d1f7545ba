import { useEffect, useState } from "preact/hooks";

const listeners = new Set<() => void>();

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  listeners.forEach((listener) => listener());
}

addEventListener("popstate", () => listeners.forEach((listener) => listener()));

/** Links of the page change the address without a request. */
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/") || link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search);
  scrollTo(0, 0);
});

export function useAddress(): { path: string; search: URLSearchParams } {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return { path: location.pathname, search: new URLSearchParams(location.search) };
}

/** A part of the address in plain letters, or as it is where its percent signs make no sense. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export interface PageProps {
  parts: string[];
  search: URLSearchParams;
}
