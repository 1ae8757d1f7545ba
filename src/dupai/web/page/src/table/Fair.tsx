import { useState } from "preact/hooks";
import { ask } from "../api";
import { splitCards } from "../cards";
import type { Deal, Verified } from "../messages";
import { t } from "../strings";
import { Inline } from "../ui/Card";
import { CopyButton, Dialog } from "../ui/Controls";

/** The sealed deck: its hash before the hand, deck and nonce after it, and a check of the two. */
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

/** The deck of a hand that is over: what was found of it belongs to this hand alone. */
function Revealed({ hand, deal }: { hand: number; deal: Deal }) {
  const [verdict, setVerdict] = useState<Verified | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const check = async () => {
    setVerdict(null);
    setProblem(null);
    try {
      setVerdict(await ask<Verified>("/api/verify", { hash: deal.hash, nonce: deal.nonce, deck: deal.deck }));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <section>
      <h3>{t("hand", { n: hand })}</h3>
      <dl class="pairs small">
        <dt>{t("hashName")}</dt><dd class="mono break">{deal.hash}</dd>
        <dt>{t("nonce")}</dt><dd class="mono break">{deal.nonce}</dd>
        <dt>{t("deck")}</dt><dd class="break deck-text"><Inline cards={splitCards(deal.deck ?? "")} /></dd>
      </dl>
      <div class="row fair-row">
        <button class="primary" onClick={() => void check()}>{t("fairCheck")}</button>
        <CopyButton label={t("copy")} text={() => `${deal.hash} ${deal.nonce} ${deal.deck}`} />
        {verdict ? <span role="status" class={verdict.ok ? "good" : "bad"}>{t(verdict.ok ? "fairGood" : "fairBad")}</span> : null}
        {problem ? <span role="alert" class="bad">{problem}</span> : null}
      </div>
    </section>
  );
}
