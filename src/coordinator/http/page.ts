/** Where a page of a list starts. */
export interface Keyset {
  /** A column of the listed table. */
  column: string
  direction: 'asc' | 'desc'
  /**
   * The last row of the previous page; undefined = the first page. `value` is absent if `column` is the id.
   */
  after: { value?: string | number; id: number } | undefined
}

export interface Paging {
  page: number
  perPage: number
  /** Rows to skip: `(page - 1) * perPage`. */
  offset: number
  /** Replaces the page number if the operation allows it; `pageOf` applies it. */
  keyset?: Keyset
}

/** One page of a list; `total` is undefined if counting would be too expensive (API, A7). */
export class Page {
  constructor(
    readonly rows: unknown[],
    readonly total: number | undefined,
  ) {}
}

export function page(rows: unknown[], total?: number): Page {
  return new Page(rows, total)
}
