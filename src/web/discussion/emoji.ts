/** Emoji that are offered, by name. The API accepts more; those are shown with their names. */
const EMOJI: Readonly<Record<string, string>> = {
  thumbsup: '👍',
  thumbsdown: '👎',
  tada: '🎉',
  heart: '❤️',
  rocket: '🚀',
  eyes: '👀',
  smile: '😄',
  confused: '😕',
  joy: '😂',
  wink: '😉',
  blush: '😊',
  thinking: '🤔',
  sweat_smile: '😅',
  sob: '😭',
  cry: '😢',
  angry: '😠',
  scream: '😱',
  sunglasses: '😎',
  sleeping: '😴',
  clap: '👏',
  wave: '👋',
  pray: '🙏',
  muscle: '💪',
  raised_hands: '🙌',
  ok_hand: '👌',
  point_up: '☝️',
  point_right: '👉',
  fire: '🔥',
  star: '⭐',
  sparkles: '✨',
  zap: '⚡',
  boom: '💥',
  bug: '🐛',
  bulb: '💡',
  lock: '🔒',
  key: '🔑',
  wrench: '🔧',
  hammer: '🔨',
  gear: '⚙️',
  package: '📦',
  memo: '📝',
  books: '📚',
  calendar: '📆',
  pushpin: '📌',
  link: '🔗',
  mag: '🔍',
  construction: '🚧',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
  question: '❓',
  exclamation: '❗',
  no_entry: '⛔',
  hourglass: '⌛',
  turtle: '🐢',
  snail: '🐌',
  coffee: '☕',
  beer: '🍺',
  cake: '🍰',
  gift: '🎁',
  trophy: '🏆',
  medal_sports: '🏅',
  '100': '💯',
  recycle: '♻️',
  wastebasket: '🗑️',
  see_no_evil: '🙈',
  skull: '💀',
  robot: '🤖',
}

/** The emoji of a name; the name with colons if this page does not have it. */
export function emojiOf(name: string): string {
  return EMOJI[name] ?? `:${name}:`
}

/** Names of the emoji that contain a text; those that begin with it come first. */
export function emojiNames(text: string): string[] {
  const names = Object.keys(EMOJI)
  const begin = names.filter((name) => name.startsWith(text))
  return [...begin, ...names.filter((name) => !begin.includes(name) && name.includes(text))]
}

/** The emoji with which most people react. */
export const REACTIONS = ['thumbsup', 'thumbsdown', 'smile', 'tada', 'confused', 'heart', 'rocket', 'eyes']
