import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** What the server refuses, in its own sentence. */
export class Refusal extends Error {
  constructor(text: string, readonly status: number) {
    super(text);
  }
}

/** A request to the page's own server; a refusal is thrown. */
export async function ask<T>(path: string, body?: unknown, method?: string, signal?: AbortSignal): Promise<T> {
  const raw = body instanceof Blob;
  const response = await fetch(path, {
    signal,
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: body === undefined || raw ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : raw ? body : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) {
    let reason = `${response.status} ${response.statusText}`;
    try {
      reason = (JSON.parse(text) as { error?: string }).error ?? reason;
    } catch {
      // not ours: the status says enough
    }
    throw new Refusal(reason, response.status);
  }
  const type = response.headers.get("Content-Type") ?? "";
  return (type.includes("json") ? JSON.parse(text) : text) as T;
}

export function query(path: string, values: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) search.set(name, String(value));
  return `${path}?${search}`;
}

export interface Loaded<T> {
  data: T | null;
  error: string | null;
  loading: boolean;
  reload: () => void;
}

/** What the server answers at a path; null asks nothing. Old data stays until the new is there. */
export function useAsk<T>(path: string | null): Loaded<T> {
  const [answer, setAnswer] = useState<{ path: string | null; data: T | null; error: string | null }>({ path: null, data: null, error: null });
  const [again, setAgain] = useState(0);
  const latest = useRef(path);
  latest.current = path;
  useEffect(() => {
    if (path === null) return;
    const gone = new AbortController();
    ask<T>(path, undefined, undefined, gone.signal).then(
      (data) => latest.current === path && setAnswer({ path, data, error: null }),
      (error: Error) => error.name !== "AbortError" && latest.current === path && setAnswer({ path, data: null, error: error.message }),
    );
    return () => gone.abort();
  }, [path, again]);
  const reload = useCallback(() => setAgain((n) => n + 1), []);
  if (path === null) return { data: null, error: null, loading: false, reload };
  return { data: answer.data, error: answer.path === path ? answer.error : null, loading: answer.path !== path, reload };
}
