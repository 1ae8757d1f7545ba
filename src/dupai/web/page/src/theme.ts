export type Theme = "auto" | "light" | "dark";

export function storedTheme(): Theme {
  const stored = localStorage.getItem("theme");
  return stored === "light" || stored === "dark" ? stored : "auto";
}

/** The choice goes to the root element as data-theme; "auto" follows the system. Charts ask again when it changes. */
export function applyTheme(theme: Theme): void {
  localStorage.setItem("theme", theme);
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  dispatchEvent(new Event("theme"));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => storedTheme() === "auto" && applyTheme("auto"));

/** A colour or size of the style sheet, for canvases. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
