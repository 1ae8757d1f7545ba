import type { Deal, Request, State } from "../messages";
import { sha256 } from "./sha256";

/** A share of mine: under which name, and the hashes of all shares as they stood before I sent it. */
interface Mine {
  name: string;
  share: string;
  commits: Record<string, string> | null;
}

/** My shares by the hash of their seal: the last few. */
const mine = new Map<string, Mine>();

/** What my part in the next deck asks for now: to send the hash of my share, the share, or nothing. */
export function shareFor({ me, seats, seal }: State): Request | null {
  const name = me === null ? "" : (seats[me]?.name ?? "");
  if (!name) return null;
  let one = mine.get(seal.hash);
  if (!seal.closed && one?.name !== name) {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    one = { name, share: [...bytes].map((x) => x.toString(16).padStart(2, "0")).join(""), commits: null };
    mine.set(seal.hash, one);
    if (mine.size > 50) mine.delete(mine.keys().next().value!);
  }
  if (!one) return null;
  const hash = sha256(one.share);
  if (!seal.closed) return seal.commits[name] ? null : { do: "share", seal: seal.hash, text: hash };
  if (one.commits || seal.commits[name] !== hash) return null;
  one.commits = seal.commits;
  return { do: "share", seal: seal.hash, text: one.share };
}

/** What a check finds: whether the deck is the one that nonce and shares give, whether anybody's browser added a share, and whether mine is in it (null: I sent none). */
export interface Verdict {
  kept: boolean;
  shared: boolean;
  mine: boolean | null;
}

/** Check a deck. */
export function checkDeal(deal: Deal): Verdict {
  const { hash, shares } = deal;
  const one = mine.get(hash), commits = one?.commits;
  const nonce = deal.nonce ?? "", deck = deal.deck ?? "";
  if (!shares) return { kept: sha256(`${nonce}:${deck}`) === hash, shared: false, mine: commits ? false : null };
  const text = [nonce, ...shares.map(([, share]) => share)].join(":");
  const keyed = new Set(deck.match(/../g) ?? []);
  const order = [...keyed].map((card) => [sha256(`${text}:${card}`), card] as const).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    kept: keyed.size === 52 && sha256(nonce) === hash && order.map(([, card]) => card).join("") === deck
      && (!commits || shares.every(([name, share]) => share === "-" || sha256(share) === commits[name])),
    shared: shares.some(([, share]) => share !== "-"),
    mine: commits ? shares.some(([name, share]) => name === one.name && share === one.share) : null,
  };
}
