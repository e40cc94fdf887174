import { describe, expect, it } from 'vitest'

import { narrowColumns, type PlacedColumn } from '../../src/web/kit/narrow-columns.js'

type Named = PlacedColumn & { title: string }

function titlesOf(columns: Named[]): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(narrowColumns(columns)).map(([place, placed]) => [
      place,
      (placed as Named[]).map(({ title }) => title),
    ]),
  )
}

describe('a table on a narrow screen', () => {
  it('has the main columns and the buttons on the first line, two columns on the second, and the others behind a button', () => {
    expect(
      titlesOf([
        { title: 'Select', hidesTitle: true },
        { title: 'Status', isMain: true },
        { title: 'Job', isMain: true },
        { title: 'Project' },
        { title: 'Duration', isNumber: true },
        { title: 'Created' },
        { title: 'Actions', hidesTitle: true },
      ]),
    ).toEqual({
      first: ['Select', 'Status', 'Job'],
      actions: ['Actions'],
      second: ['Project', 'Duration'],
      details: ['Created'],
    })
  })

  it('has those on the second line that are not marked as details', () => {
    expect(
      titlesOf([
        { title: 'User', isMain: true },
        { title: 'E-mail address', isDetail: true },
        { title: 'State' },
        { title: 'Last sign-in' },
      ]),
    ).toMatchObject({ second: ['State', 'Last sign-in'], details: ['E-mail address'] })
  })

  it('has up to four numbers on the second line', () => {
    const numbers = ['Tests', 'Failed', 'Skipped', 'Time'].map((title) => ({ title, isNumber: true }))
    expect(titlesOf([{ title: 'Suite', isMain: true }, ...numbers])).toMatchObject({
      second: ['Tests', 'Failed', 'Skipped', 'Time'],
      details: [],
    })
  })
})
