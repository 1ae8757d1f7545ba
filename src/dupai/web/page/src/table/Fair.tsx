import { useState } from "preact/hooks";
import { splitCards } from "../cards";
import type { Deal } from "../messages";
import { t } from "../strings";
import { Inline } from "../ui/Card";
import { CopyButton, Dialog } from "../ui/Controls";
import { checkDeal, type Verdict } from "./shares";

/** The sealed deck: the hash of its nonce before the hand; nonce, shares and deck after it, and a check of them. */
export function Fair({ now, revealed, close }: { now: { hand: number; deal: Deal } | null; revealed: { hand: number; deal: Deal } | null; close: () => void }) {
  return (
    <Dialog title={t("fair")} close={close}>
      <p class="muted">{t("fairAbout")}</p>
      {now && !now.deal.deck ? (
        <section>
          <h3>{t("hand", { n: now.hand })}</h3>
          <p class="mono break">{now.deal.hash}</p>
          <p class="small muted">{t("fairLater")}</p>
        </section>
      ) : null}
      {revealed ? <Revealed key={revealed.deal.hash} hand={revealed.hand} deal={revealed.deal} /> : null}
    </Dialog>
  );
}

/** The deck of a hand that is over, checked in this browser: what was found of it belongs to this hand alone. */
function Revealed({ hand, deal }: { hand: number; deal: Deal }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const shares = deal.shares ?? [];
  return (
    <section>
      <h3>{t("hand", { n: hand })}</h3>
      <dl class="pairs small">
        <dt>{t("hashName")}</dt><dd class="mono break">{deal.hash}</dd>
        <dt>{t("nonce")}</dt><dd class="mono break">{deal.nonce}</dd>
        {shares.map(([name, share]) => <><dt>{t("fairShare", { name })}</dt><dd class="mono break">{share}</dd></>)}
        <dt>{t("deck")}</dt><dd class="break deck-text"><Inline cards={splitCards(deal.deck ?? "")} /></dd>
      </dl>
      <div class="row fair-row">
        <button class="primary" onClick={() => setVerdict(checkDeal(deal))}>{t("fairCheck")}</button>
        <CopyButton label={t("copy")} text={() => [deal.hash, deal.nonce, deal.deck, ...shares.map(([, share]) => share)].join(" ")} />
        {verdict ? <span role="status" class={verdict.kept ? "good" : "bad"}>{t(verdict.kept ? "fairGood" : "fairBad")}</span> : null}
        {verdict && !verdict.shared ? <span role="status">{t("fairAlone")}</span> : null}
        {verdict && verdict.mine !== null ? <span role="status" class={verdict.mine ? "good" : "bad"}>{t(verdict.mine ? "fairMine" : "fairNotMine")}</span> : null}
      </div>
    </section>
  );
}
