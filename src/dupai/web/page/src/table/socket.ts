import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ask } from "../api";
import type { Deal, Event as ServerEvent, Lessons, LobbyTable, Mirror, Readings, Request, Reveal, State } from "../messages";
import { shareFor } from "./shares";

export interface TableData {
  state: State | null;
  readings: Readings | null;
  mirror: Mirror | null;
  reveal: Reveal | null;
  lessons: Lessons | null;
  /** The deal that was revealed last, with its hand: it can be checked while the next hand is on. */
  revealed: { hand: number; deal: Deal } | null;
  problem: string | null;
  /** There is no such table. */
  gone: boolean;
  /** When the state came, in the page's own milliseconds: for the clock. */
  since: number;
}

const EMPTY: TableData = { state: null, readings: null, mirror: null, reveal: null, lessons: null, revealed: null, problem: null, gone: false, since: 0 };

function merge(data: TableData, event: ServerEvent): TableData {
  switch (event.type) {
    case "state": {
      const hand = event.hand;
      const revealed = hand?.deal.deck ? { hand: hand.number, deal: hand.deal } : data.revealed;
      const newHand = hand?.number !== data.state?.hand?.number;
      return {
        ...data, state: event, revealed, problem: null, since: performance.now(),
        readings: newHand || !event.panel ? null : data.readings, mirror: newHand || !event.panel ? null : data.mirror,
      };
    }
    case "readings": return { ...data, readings: event };
    case "mirror": return { ...data, mirror: event };
    case "reveal": return { ...data, reveal: event };
    case "coach": return { ...data, lessons: event };
    case "error": return { ...data, problem: event.text };
  }
}

/** A table's socket: what the server said last, a way to answer, and whether the line is up. It comes back by itself. */
export function useTable(id: string): { data: TableData; send: (request: Request) => void; online: boolean; reopen: () => void } {
  const [data, setData] = useState<TableData>(EMPTY);
  const [online, setOnline] = useState(false);
  const [again, setAgain] = useState(0);
  const socket = useRef<WebSocket | null>(null);
  useEffect(() => {
    let closed = false;
    let wait = 300;
    let timer = 0;
    const open = () => {
      const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${encodeURIComponent(id)}/socket`);
      socket.current = line;
      let opened = false;
      line.onopen = () => {
        opened = true;
        wait = 300;
        setOnline(true);
      };
      line.onmessage = (message) => {
        const event = JSON.parse(message.data as string) as ServerEvent;
        const share = event.type === "state" ? shareFor(event) : null;
        if (share) line.send(JSON.stringify(share));
        setData((old) => merge(old, event));
      };
      line.onclose = () => {
        if (closed) return;
        setOnline(false);
        // The browser does not say why: the server may be away, or know no such table.
        if (!opened) void ask<LobbyTable[]>("/api/tables").then((tables) => closed || tables.some((one) => one.id === id) || (close(), setData((old) => ({ ...old, gone: true }))), () => undefined);
        timer = window.setTimeout(open, wait);
        wait = Math.min(5000, wait * 1.7);
      };
    };
    const close = () => {
      closed = true;
      clearTimeout(timer);
      socket.current?.close();
    };
    open();
    return close;
  }, [id, again]);
  useEffect(() => setData(EMPTY), [id]);
  const send = useCallback((request: Request) => {
    if (socket.current?.readyState === WebSocket.OPEN) socket.current.send(JSON.stringify(request));
  }, []);
  return { data, send, online, reopen: useCallback(() => setAgain((n) => n + 1), []) };
}
