import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { decoded, useAddress, type PageProps } from "../router";
import { setLanguage, showAmounts, t, useLanguage, type Key } from "../strings";
import { applyTheme, storedTheme, type Theme } from "../theme";
import { Lobby } from "../pages/Lobby";

type Page = ComponentType<PageProps>;

/** Pages that are fetched when they are first opened. */
const PAGES: Record<string, () => Promise<Page>> = {
  table: async () => (await import("../pages/Table")).Table,
  replay: async () => (await import("../pages/Replay")).Replay,
  solve: async () => (await import("../pages/Solve")).Solve,
  equity: async () => (await import("../pages/Equity")).Equity,
  players: async () => (await import("../pages/Players")).Players,
  results: async () => (await import("../pages/Results")).Results,
};

const LINKS: [string, Key][] = [
  ["/", "play"], ["/replay", "replay"], ["/solve", "solve"], ["/equity", "equity"], ["/players", "players"], ["/results", "results"],
];

export function Shell() {
  const language = useLanguage();
  showAmounts(0);
  const { path, search } = useAddress();
  const parts = path.split("/").filter(Boolean).map(decoded);
  const name = parts[0] ?? "";
  const [loaded, setLoaded] = useState<Record<string, Page>>({ "": Lobby });
  const [theme, setTheme] = useState<Theme>(storedTheme());
  useEffect(() => {
    if (name in PAGES && !(name in loaded)) void PAGES[name]().then((page) => setLoaded((pages) => ({ ...pages, [name]: page })));
  }, [name]);
  const Current = loaded[name];
  const link = LINKS.find(([to]) => to.slice(1) === name);
  useEffect(() => {
    document.title = link && name ? `${t(link[1])} · dupai` : "dupai 读牌";
  }, [name, language]);
  const chooseTheme = (next: Theme) => {
    setTheme(next);
    applyTheme(next);
  };
  return (
    <>
      <a class="skip" href="#main">{t("skip")}</a>
      <header class="bar">
        <a class="brand" href="/"><Mark /><span>dupai</span><span class="brand-zh" lang="zh">读牌</span></a>
        <nav aria-label={t("menu")}>
          {LINKS.map(([to, key]) => (
            <a key={to} href={to} aria-current={to.slice(1) === (name === "table" ? "" : name) ? "page" : undefined}>{t(key)}</a>
          ))}
        </nav>
        <div class="bar-end">
          <button class="quiet" title={t("language")} aria-label={`${t("language")}: ${language === "en" ? "中文" : "English"}`}
            onClick={() => void setLanguage(language === "en" ? "zh" : "en")}>{language === "en" ? "中文" : "EN"}</button>
          <ThemeButton theme={theme} choose={chooseTheme} />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {Current ? <Current parts={parts.slice(1)} search={search} /> : name in PAGES ? <p class="page wait">{t("loading")}</p> : (
          <div class="page"><h1>404</h1><p>{t("notFound")} <a href="/">{t("home")}</a></p></div>
        )}
      </main>
    </>
  );
}

function ThemeButton({ theme, choose }: { theme: Theme; choose: (theme: Theme) => void }) {
  const order: Theme[] = ["auto", "light", "dark"];
  const names: Record<Theme, string> = { auto: t("themeAuto"), light: t("themeLight"), dark: t("themeDark") };
  const next = order[(order.indexOf(theme) + 1) % 3];
  return (
    <button class="quiet" onClick={() => choose(next)} aria-label={`${t("theme")}: ${names[theme]}`} title={`${t("theme")}: ${names[theme]}`}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        {theme === "light" ? (
          <g stroke="currentColor" stroke-width="1.6" stroke-linecap="round" fill="none"><circle cx="10" cy="10" r="3.4" />
            {[0, 45, 90, 135, 180, 225, 270, 315].map((a) => <path key={a} d="M10 1.800v2.200" transform={`rotate(${a} 10 10)`} />)}</g>
        ) : theme === "dark" ? (
          <path d="M16.500 12.400A7 7 0 0 1 7.600 3.500a7 7 0 1 0 8.900 8.900z" fill="currentColor" />
        ) : (
          <g><circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.600" /><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" /></g>
        )}
      </svg>
    </button>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent-deep)" />
      <path fill="#f4f1e8" d="M16 5c1.500 3.600 9 7.600 9 13.200 0 2.800-2 4.600-4.400 4.600-1.600 0-2.900-.800-3.700-2 .2 2.700 1 4.600 2.400 6.200h-6.600c1.400-1.600 2.200-3.500 2.400-6.200-.8 1.200-2.100 2-3.700 2C9 22.800 7 21 7 18.200 7 12.600 14.500 8.600 16 5z" />
    </svg>
  );
}
