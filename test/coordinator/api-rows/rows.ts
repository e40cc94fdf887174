/** One row of the API documents: an operation, its parameters and its response status codes. */
export interface ApiRow {
  /** `GET /projects/:id/jobs`. */
  route: string
  /** Names of parameters that must be declared, those of the path apart. */
  parameters: string[]
  /** Statuses of success that must be declared. */
  responses: number[]
}

/** A row, or parameters of one, that are not served, and why. */
export interface OmittedRow {
  route: string
  /** Empty = the whole row. */
  parameters: string[]
  reason: string
}

const SHORT: Record<string, string> = {
  P: '/projects/:id',
  G: '/groups/:id',
  MR: '/projects/:id/merge_requests/:iid',
}

/**
 * Reads lines of the form `GET P/jobs | scope sort | 200`, where `P` is short for `/projects/:id` and `G` for
 * `/groups/:id`. Empty lines and those that begin with `#` are for people.
 */
export function rowsOf(table: string): ApiRow[] {
  return linesOf(table).map((line) => {
    const [route = '', parameters = '', responses = ''] = line.split('|')
    return {
      route: fullRoute(route),
      parameters: wordsOf(parameters),
      responses: wordsOf(responses).map(Number),
    }
  })
}

/** Reads lines of the form `GET P/jobs | scope | why not`; without parameters the row itself is left out. */
export function omittedOf(table: string): OmittedRow[] {
  return linesOf(table).map((line) => {
    const [route = '', parameters = '', reason = ''] = line.split('|')
    return { route: fullRoute(route), parameters: wordsOf(parameters), reason: reason.trim() }
  })
}

function linesOf(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

/** The route with the short names of projects and groups written out. */
export function fullRoute(route: string): string {
  const [method = '', path = ''] = wordsOf(route)
  const [start = ''] = path.split(/[/?]/)
  return `${method} ${(SHORT[start] ?? start) + path.slice(start.length)}`
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}

/** Documents and declarations may call a part of the path by different names. */
export function shapeOf(route: string): string {
  return route.replace(/:\w+/g, ':').replace(/\*\w+/, '*')
}
