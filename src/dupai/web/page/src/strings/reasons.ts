/** Reasons of an advice in Chinese, by the English sentence that the server sends; one that is not here stays English. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^win rate ([\d.]+) against one random hand \(exact\)$/, "对一手随机牌的胜率 $1（精确）"],
  [/^win rate ([\d.]+) \(standard error ([\d.]+)\) against (\d+) random hands \(([\d,]+) deals\)$/, "对 $3 手随机牌的胜率 $1（标准误 $2，$4 次发牌）"],
  [/^pot odds ([\d.]+) \((\d+) to call, pot (\d+)\), so the rate of return is (\S+)$/, "底池赔率 $1（跟注 $2，底池 $3），回报率 $4"],
  [/^calling is free, so the rate of return is infinite$/, "过牌免费，回报率无穷大"],
  [/^calling is free; counted as a bet of one big blind the rate of return is (\S+)$/, "过牌免费；按下注一个大盲计算，回报率 $1"],
  [/^the limits are ([\d., ]+): far too small: fold or bluff$/, "界限为 $1：远远不够，弃牌或诈唬"],
  [/^the limits are ([\d., ]+): too small: mostly fold$/, "界限为 $1：不够，多半弃牌"],
  [/^the limits are ([\d., ]+): worth a call$/, "界限为 $1：值得跟注"],
  [/^the limits are ([\d., ]+): worth a raise$/, "界限为 $1：值得加注"],
  [/^stack protection: a call would leave (-?\d+), below (\S+) big blinds of (\d+), and the win rate is below (\S+): fold$/, "保护筹码：跟注后剩 $1，少于 $2 个大盲（每个 $3），且胜率低于 $4：弃牌"],
  [/^personality: the odds of a raise are multiplied by (\S+)$/, "性格：加注的可能性乘以 $1"],
  [/^there is nothing to fold to: (?:a fold becomes a check|it checks)$/, "无人下注：弃牌改为过牌"],
  [/^no raise is allowed here(?:: it becomes a call|: it calls|, so it calls(?: instead)?)$/, "此处不能加注：改为跟注"],
  [/^size of a raise: as people bet$/, "加注大小：与真人相同"],
  [/^size of a raise: the smallest allowed$/, "加注大小：允许的最小值"],
  [/^size of a raise: all-in or the most allowed$/, "加注大小：全下或允许的最大值"],
  [/^size of a raise: uniform from smallest to largest$/, "加注大小：在最小与最大之间均匀选取"],
  [/^size of a raise: the pot$/, "加注大小：一个底池"],
  [/^size of a raise: (\S+) of the pot$/, "加注大小：底池的 $1 倍"],
  [/^that reaches (\S+), from which it raises$/, "达到 $1，从此起加注"],
  [/^that reaches (\S+), from which it plays on, but not (\S+), for a raise$/, "达到 $1，从此起继续；未达到加注所需的 $2"],
  [/^that is below (\S+), from which it plays on$/, "低于 $1，不足以继续"],
  [/^it always checks or calls$/, "总是过牌或跟注"],
  [/^it always raises; size: .*$/, "总是加注"],
  [/^every kind of legal action is equally likely, and so is every raise total$/, "每种合法行动概率相同，每个加注额也相同"],
  [/^it folds (\S+) of the time when facing a bet, and raises (\S+) of the rest$/, "面对下注时 $1 弃牌，其余中 $2 加注"],
  [/^checking is free here, so it does not fold$/, "此处过牌免费，所以不弃牌"],
  [/^facing a bet it plays on with (\S+) of all win rates and raises with (\S+), steepness (\S+)$/, "面对下注时以 $1 的胜率继续，以 $2 加注，陡度 $3"],
  [/^where checking is free it bets with (\S+) of all win rates, steepness (\S+)$/, "过牌免费时以 $1 的胜率下注，陡度 $2"],
  [/^still watching the opponent for (\d+) hands$/, "还要观察对手 $1 手"],
  [/^particle (\d+) of (\d+), after (\d+) updates and ([\d,]+) hands; it plays (\S+)$/, "第 $1 个粒子（共 $2 个），经过 $3 次更新和 $4 手牌；策略 $5"],
  [/^style (\w+) for ([\d,]+) more hands$/, "风格 $1，还有 $2 手"],
  [/^counted over ([\d,]+) decisions; this agent gives no reasons$/, "由 $1 次决定计数得出；这个智能体不给理由"],
];

/** A reason in the language of the page, and the language that it is in. */
export function reasonWords(text: string): { text: string; lang: "en" | "zh-CN" } {
  if (document.documentElement.lang !== "en") {
    for (const [pattern, words] of REASONS) if (pattern.test(text)) return { text: text.replace(pattern, words), lang: "zh-CN" };
  }
  return { text, lang: "en" };
}
