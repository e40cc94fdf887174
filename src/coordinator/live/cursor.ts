/** The data that a client has received. Its text form is the ID of each event. */
export interface Cursor {
  /** All changes until this time, in milliseconds since 1970; undefined for a client without a cursor. */
  time: number | undefined
  /** Versions of topics that the client has read, by the key of the topic (`cursorKeyOf`). They count instead of the time. */
  versions: ReadonlyMap<string, number>
  /** Position in each log, in bytes, by the ID of the job. */
  offsets: ReadonlyMap<number, number>
}

/** Ignores parts that it does not understand, which may come from a coordinator of another version. */
export function parseCursor(text: string): Cursor {
  let time: number | undefined
  const versions = new Map<string, number>()
  const offsets = new Map<number, number>()
  for (const part of text.split(';')) {
    const [, key = '', id = '', value] = /^([a-z]+)(\d{0,15})=(\d{1,15})$/.exec(part) ?? []
    if (value === undefined) continue
    if (key === 'v') time = Number(value)
    else if (key === 't') offsets.set(Number(id), Number(value))
    else versions.set(key + id, Number(value))
  }
  return { time, versions, offsets }
}

export function formatCursor({ time, versions, offsets }: Cursor): string {
  return [
    ...(time === undefined ? [] : [`v=${time}`]),
    ...[...versions].map(([key, version]) => `${key}=${version}`),
    ...[...offsets].map(([jobId, offset]) => `t${jobId}=${offset}`),
  ].join(';')
}
