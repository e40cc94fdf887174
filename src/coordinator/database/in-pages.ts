const PAGE = 500

/** All rows that `page` finds, without holding more than one page of them; it answers those after an id, in its order. */
export async function* inPages<Row extends { id: number }>(
  page: (after: number, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = 0; ;) {
    const rows = await page(after, PAGE)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}
