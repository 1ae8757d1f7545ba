/**
 * What the server says in English (reasons of an advice, leaks of a player, titles, heads of tables) in Chinese. $1 is a
 * group of the pattern as it is, {1} a list of WORDS. What is not here stays English.
 */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^no estimate: (.*)$/, "无法估计：$1"],
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
  [/^facing a bet it plays on with (\S+) of all win rates and raises with (\S+), steepness (\S+)$/, "面对下注时，全部胜率中 $1 继续，$2 加注，陡度 $3"],
  [/^where checking is free it bets with (\S+) of all win rates, steepness (\S+)$/, "过牌免费时，全部胜率中 $1 下注，陡度 $2"],
  [/^still watching the opponent for (\d+) hands$/, "还要观察对手 $1 手"],
  [/^particle (\d+) of (\d+), after (\d+) updates and ([\d,]+) hands; it plays (\S+)$/, "第 $1 个粒子（共 $2 个），经过 $3 次更新和 $4 手牌；策略 $5"],
  [/^style (\w+) for ([\d,]+) more hands$/, "风格 $1，还有 $2 手"],
  [/^counted over ([\d,]+) decisions; this agent gives no reasons$/, "由 $1 次决定计数得出；这个智能体不给理由"],
  [/^win rate ([\d.]+) against the predicted hands of (\d+) \(counted\)$/, "对 $2 名对手的预测手牌，胜率 $1（逐一计数）"],
  [/^win rate ([\d.]+) against the predicted hands of (\d+) \(([\d,]+) deals\)$/, "对 $2 名对手的预测手牌，胜率 $1（$3 次发牌）"],
  [/^one of the top (\d+) % of starting hands: it opens the top (\d+) % here$/, "起手牌的前 $1 %；此处以前 $2 % 开池"],
  [/^only one of the top (\d+) % of starting hands: it opens the top (\d+) % here$/, "只是起手牌的前 $1 %；此处只以前 $2 % 开池"],
  [/^one of the weakest (\d+) % of starting hands folds to a raise$/, "起手牌最弱的 $1 % 面对加注弃牌"],
  [/^everybody folds (\d+) % of the time: it steals$/, "全体弃牌的机会 $1 %：偷盲"],
  [/^no raise is allowed$/, "此处不能加注"],
  [/^nothing to call$/, "无需跟注"],
  [/^enters cheaply$/, "便宜入池"],
  [/^short: the push\/fold equilibrium of ([\d.]+) big blinds (pushes|folds)$/, "短筹码：按 $1 个大盲的全下/弃牌均衡，{2}"],
  [/^short: the top (\d+) % (pushes|folds)$/, "短筹码：起手牌的前 $1 % 全下，这手牌{2}"],
  [/^short, and everybody folds (\d+) % of the time: it pushes$/, "短筹码，且全体弃牌的机会 $1 %：全下"],
  [/^short: checks or calls$/, "短筹码：过牌或跟注"],
  [/^short: all-in or fold, ([\d.]+) is asked$/, "短筹码：全下或弃牌，需要胜率 $1"],
  [/^short: all-in, the win rate is above the price ([\d.]+)$/, "短筹码：胜率高于价格 $1，全下"],
  [/^short: the win rate is below the price ([\d.]+)$/, "短筹码：胜率低于价格 $1"],
  [/^strong enough \(([\d.]+) is asked\): re-raises$/, "足够强（需要 $1）：再加注"],
  [/^that reaches ([\d.]+), asked for a call at pot odds ([\d.]+)$/, "达到跟注所需的 $1（底池赔率 $2）"],
  [/^that is below ([\d.]+), asked for a call at pot odds ([\d.]+)$/, "低于跟注所需的 $1（底池赔率 $2）"],
  [/^([\d.]+) against the (\d+) in the pot already reaches ([\d.]+), asked for a call at pot odds ([\d.]+)$/, "对已入池的 $2 人胜率 $1，达到跟注所需的 $3（底池赔率 $4）"],
  [/^([\d.]+) against the (\d+) in the pot already is below ([\d.]+), asked for a call at pot odds ([\d.]+)$/, "对已入池的 $2 人胜率 $1，低于跟注所需的 $3（底池赔率 $4）"],
  [/^stacks are deep: a speculative hand calls$/, "筹码深：投机牌跟注"],
  [/^it reaches ([\d.]+), and they rarely fold: (\d+) % of the pot$/, "达到 $1，且对手很少弃牌：下注底池的 $2 %"],
  [/^that reaches ([\d.]+): (\d+) % of the pot$/, "达到 $1：下注底池的 $2 %"],
  [/^committed to the pot: all-in$/, "已套池：全下"],
  [/^a draw: ([\d.]+) pays for the call, implied odds counted \(([\d.]+)\)$/, "听牌：计入隐含赔率，$1 足以跟注（需要 $2）"],
  [/^a draw leads$/, "听牌主动下注"],
  [/^they fold (\d+) % of the time: it bets$/, "对手弃牌的机会 $1 %：下注"],
  [/^a made hand bets once$/, "成牌下注一次"],
  [/^that is below ([\d.]+): it checks$/, "低于 $1：过牌"],
  [/^(.+), line (\d+): (.+)$/, "规则 $1 第 $2 行：$3"],
  [/^((?:preflop|flop|turn|river), (?:button|blind), .+)$/, "{1}"],
  [/^an equilibrium between both ranges, (\d+) iterations$/, "双方范围之间的均衡，$1 次迭代"],
  [/^([\d,]+) leaf evaluations on ([\d,]+) boards, ([\d,]+) places in the betting$/, "在 $2 个公共牌上评估 $1 个叶节点，下注树 $3 个位置"],
  [/^(most visited|largest mean less its error) of ([\d,]+) simulations in a tree of ([\d,]+) nodes$/, "$2 次模拟中{1}，树有 $3 个节点"],
  [/^(most visited|largest mean less its error) of ([\d,]+) simulations, ([\d,]+) kept from before in a tree of ([\d,]+) nodes$/, "$2 次模拟（$3 次留自先前）中{1}，树有 $4 个节点"],
  [/^worth ([+-][\d.]+) ± ([\d.]+) big blinds from here on \(95 %\)$/, "从此处起值 $1 ± $2 个大盲（95 %）"],
  [/^hands of seat (\d+) that the model knows: ([\d,]+)$/, "模型见过 $1 号位的 $2 手牌"],
  [/^with this hand members of the group do: (.+); how often was counted on ([\d,]+) of its hands$/, "这群人拿这手牌时：{1}；频率由其 $2 手牌统计"],
  [/^with this hand members of the group do: (.+)$/, "这群人拿这手牌时：{1}"],
  [/^responds to its reading (\d+) % of the time, after ([\d,]+) hands of (?:this opponent|these opponents)$/, "$1 % 的时候针对所读到的手牌应对（已见该对手 $2 手）"],
  [/^the response is worth ([+-][\d.,]+) big blinds from here on by the model$/, "按模型，该应对从现在起值 $1 个大盲"],
  [/^its agent for tables plays this hand through with a probability of (\d+) %$/, "这手牌有 $1 % 的可能从头到尾由多人桌程序来打"],
  [/^else it plays the equilibrium$/, "其余时候按均衡打"],
  [/^else another agent decides for it$/, "其余时候由另一个程序决定"],
  [/^solved the (turn|river)$/, "已求解{1}"],
  [/^solved the (turn|river), safe against what the opponent had before$/, "已求解{1}，不低于对手先前所得"],
  [/^blueprint$/, "蓝图策略"],
  [/^values if both play the blueprint, on (\d+) boards, within ([\d.]+) big blinds \(95 %\)$/, "双方都按蓝图打时的价值：$1 个牌面，误差 $2 个大盲以内（95 %）"],
  [/^push\/fold equilibrium$/, "短筹码的全下或弃牌均衡"],
  [/^stand-in: a model of a strong program$/, "替代策略：强程序的模型"],
  [/^stand-in: the blueprint does not cover this game$/, "替代策略：蓝图不含这种玩法"],
  [/^stand-in: the betting has no counterpart in the blueprint$/, "替代策略：蓝图中没有这样的下注"],
  [/^(.+): ([+-][\d.]+) bb\/100 beside others there \(([\d,]+) hands\)$/, "{1}：与同处境的其他人相比 $2 bb/100（$3 手）"],
  [/^(\d+) hands between six agents$/, "六个智能体之间的 $1 手"],
  [/^(\d+) hands as PHH$/, "$1 手，PHH 格式"],
  [/^(\d+) hands as a site writes them$/, "$1 手，扑克网站的文本"],
  [/^hand (\d+), ([\d/]+)$/, "第 $1 手，$2"],
  [/^hand (\d+), ([\d/]+), player (.+)$/, "第 $1 手，$2，玩家 $3"],
  [/^hand (\d+), ([\d/]+), (.+)$/, "第 $1 手，$2，$3"],
  [/^blinds are posted$/, "已下盲注"],
];

/** Words of the lists inside of sentences, and words that stand alone. */
const WORDS: Record<string, string> = {
  fold: "弃牌", call: "跟注", raise: "加注", "all-in": "全下", pushes: "全下", folds: "弃牌", "most visited": "访问最多", "largest mean less its error": "均值减误差最大",
  preflop: "翻牌前", flop: "翻牌", turn: "转牌", river: "河牌", button: "按钮位", blind: "盲位", early: "前位", middle: "中位", late: "后位", "small blind": "小盲位", "big blind": "大盲位",
  deep: "筹码深", short: "筹码短", unopened: "无人入池", limped: "有人平跟", led: "我方主动，尚无下注", open: "尚无下注",
  "raise-small": "小加注", "raise-middle": "中加注", "raise-big": "大加注", "raise-huge": "超大加注", "raise-shove": "全下加注",
  "again-small": "小额再加注", "again-middle": "中额再加注", "again-big": "大额再加注", "again-huge": "超大再加注", "again-shove": "再加注全下",
  "war-small": "多次加注，小", "war-middle": "多次加注，中", "war-big": "多次加注，大", "war-huge": "多次加注，超大", "war-shove": "多次加注，全下",
  "bet-small": "面对小注", "bet-half": "面对半池注", "bet-pot": "面对满池注", "bet-over": "面对超池注", "bet-huge": "面对巨注", raised: "下注被加注", "raised-huge": "下注被大幅加注",
  nothing: "无牌", high: "高牌", "low-pair": "小对", "mid-pair": "中对", "top-weak": "顶对弱踢脚", "top-good": "顶对好踢脚", overpair: "超对", "two-pair": "两对", trips: "明三条", set: "暗三条",
  straight: "顺子", flush: "同花", "nut-flush": "坚果同花", full: "葫芦", quads: "四条",
  "draw none": "无听牌", "draw gutshot": "卡顺听牌", "draw open-ended": "两头顺听牌", "draw flush-draw": "同花听牌", "draw combo-draw": "双重听牌",
  "dry board": "干燥牌面", "wet board": "湿润牌面", "paired board": "成对牌面", "dangerous board": "危险牌面",
  "put nothing in": "未入池", limper: "平跟者", raiser: "加注者", "caller of a raise": "跟注加注者", "3-bettor": "3-bet 者", "caller of a 3-bet": "跟注 3-bet 者", "4-bettor": "4-bet 者", "caller of a 4-bet": "跟注 4-bet 者",
  "checked the big blind": "大盲过牌", "had no decision": "没有决定", "c-bet": "持续下注", "no c-bet": "未持续下注", "faced a c-bet": "面对持续下注", "re-raised": "被再加注",
  "to the flop": "到翻牌", "to the turn": "到转牌", "to the river": "到河牌", "ended before the flop": "翻牌前结束", "rarer endings": "较少见的结局",
  match: "对抗", cash: "现金局", tournament: "锦标赛", ladder: "天梯", sprt: "序贯检验", rollout: "推演", exploit: "可剥削度",
  agent: "智能体", rating: "评分", "95 % interval": "95 % 区间", "strays by": "偏离", won: "赢得", "won, mbb/hand": "赢得 mbb/手", "won, mbb/hand (± 95 %)": "赢得 mbb/手（± 95 %）", "hands wanted": "所需手数",
  "mean rank (± 95 %)": "平均名次（± 95 %）", "hands survived (± 95 %)": "存活手数（± 95 %）", "chips (± 95 %)": "筹码（± 95 %）", chips: "筹码", "bought in": "买入", "not better at": "不更强的界", "better at": "更强的界",
  method: "方法", "mbb/hand (± 95 %)": "mbb/手（± 95 %）", "with luck": "含运气", hands: "手数", range: "范围", situation: "处境", decisions: "决定", "best other action": "最好的其他行动", "gain ± se": "得失 ± 标准误",
  "UTG open, six-handed": "六人桌枪口位开池", "Hijack open": "劫机位开池", "Cutoff open": "关煞位开池", "Button open": "按钮位开池", "Big blind call of a button open": "大盲跟注按钮位开池", "Three-bet, tight": "紧的 3-bet", "Any two cards": "任意两张牌",
};

/** Every part of a list in Chinese: "fold 20%, raise 0.5 80%". */
function list(text: string): string {
  return text.split(", ").map((part) => part.replace(/^raise ([\d.]+)/, "$& 倍底池").replace(/^[a-z\d][a-z\d -]*[a-z]/, (word) => WORDS[word] ?? word)).join("，");
}

/** What the server says in the language of the page, and the language that it is in. */
export function sentence(text: string): { text: string; lang: "en" | "zh-CN" } {
  if (document.documentElement.lang !== "en") {
    if (text in WORDS) return { text: WORDS[text], lang: "zh-CN" };
    for (const [pattern, words] of SENTENCES) {
      const groups = text.match(pattern);
      if (groups) return { text: words.replace(/\$(\d)|\{(\d)\}/g, (_, plain, listed) => (plain ? groups[plain] : list(groups[listed]))), lang: "zh-CN" };
    }
  }
  return { text, lang: "en" };
}

/** The same without the language. */
export const say = (text: string): string => sentence(text).text;
