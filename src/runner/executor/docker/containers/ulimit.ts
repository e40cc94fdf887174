export interface Ulimit {
  Name: string
  Soft: number
  Hard: number
}

/** `1024:2048`, soft and hard, or one number for both; -1 = no limit (runner protocol, 9.4). */
export function parseUlimit(name: string, text: string): Ulimit | undefined {
  const [, soft, hard = soft] = /^(-1|\d+)(?::(-1|\d+))?$/.exec(text.trim()) ?? []
  if (name === '' || soft === undefined || hard === undefined) return undefined
  return { Name: name, Soft: Number(soft), Hard: Number(hard) }
}
