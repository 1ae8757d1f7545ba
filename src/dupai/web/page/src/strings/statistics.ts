/** Statistics in Chinese by the name that the server sends; a street at its end ("-flop") is added. */
const STATISTICS: Record<string, string> = {
  "bb/100": "每百手大盲数", vpip: "主动入池率", pfr: "翻牌前加注率", limp: "平跟入池", "open-raise": "率先加注", "3bet": "再加注（3-bet）",
  squeeze: "挤压加注", "fold-to-3bet": "面对 3-bet 弃牌", "4bet": "4-bet", "fold-to-4bet": "面对 4-bet 弃牌", steal: "偷盲",
  "fold-to-steal": "面对偷盲弃牌", cbet: "持续下注", "fold-to-cbet": "面对持续下注弃牌", "raise-cbet": "加注持续下注",
  "check-raise": "过牌加注", donk: "反主动下注", af: "激进因子", afq: "激进频率", wtsd: "摊牌率", wsd: "摊牌胜率", wwsf: "看翻牌后胜率",
};
const STREETS: Record<string, string> = { flop: "翻牌", turn: "转牌", river: "河牌" };

/** The title of a statistic in the language of the page. */
export function statisticTitle(name: string, title: string): string {
  if (document.documentElement.lang === "en") return title;
  const [, base, street] = name.match(/^(.*?)(?:-(flop|turn|river))?$/)!;
  return base in STATISTICS ? STATISTICS[base] + (street ? `（${STREETS[street]}）` : "") : title;
}
