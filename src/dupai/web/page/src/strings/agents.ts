/** What each agent does, in Chinese, by its name. */
const ABOUT: Record<string, string> = {
  caller: "总是过牌或跟注", raiser: "总是下注或加注，不能加注时跟注", random: "弃牌、跟注、任意合法加注，概率相同",
  fixed: "在任何局面都以相同概率行动：10 % 弃牌，其余加注或跟注", rules: "以回报率查概率表，并保护筹码（“Programming Poker AI”的打法）",
  style: "胜率达到 alpha 继续，达到 beta 加注，否则弃牌：松凶 LA、松弱 LP、紧凶 TA、紧弱 TP", changer: "先用一种风格，再换另一种：对手每次学到的随即过时",
  fold: "读牌（FOLD）：对预测手牌的胜率，按情形设门槛；免费时从不弃牌", expert: "按规则文件行动：翻牌前看牌型、位置和面对的行动，之后看成牌、听牌和牌面",
  exp: "翻牌后搜索分阶段的树：自己用专家规则，对手用模型；仅单挑", mcts: "蒙特卡洛树搜索，对手模型边打边学", risk: "五个数的固定策略：弃牌、跟注、加注随胜率变化的 S 形曲线",
  swarm: "边打边找对手的弱点：五数策略的粒子群（BR-PSO）", persona: "像一群真人那样行动：训练过的读牌器从他们的牌局学到的打法",
  equilibrium: "求解所读到的：追踪双方 1,326 手牌的范围，按实际下注求解转牌和河牌", dupai: "读牌、求解，并在限度内利用对手：均衡，混入对所读到的应对",
  acpc: "使用 ACPC 协议的程序：它连接到我们，或由我们启动",
};

/** What an agent does in the language of the page. */
export function aboutAgent(name: string, about: string): { text: string; lang: "en" | "zh-CN" } {
  return document.documentElement.lang !== "en" && name in ABOUT ? { text: ABOUT[name], lang: "zh-CN" } : { text: about, lang: "en" };
}
