import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import type { Person } from '../../support/test-app.js'
import { planningSceneForFile } from '../support.js'

const openScene = planningSceneForFile()

interface ShownNote {
  id: number
  body_html?: string
  award_emoji?: { name: string; count: number; own_id: number | null }[]
}

describeOnDatabase('Details of discussions', (open) => {
  test('have the text as HTML with the links that the reader may see, and the emoji', async () => {
    const { call, ok, person, P } = await openScene(open)
    const mary = await person('mary')
    await ok(`POST ${P}/issues`, { title: 'Open', description: 'See **#2** and @mary' })
    await ok(`POST ${P}/issues`, { title: 'Nobody must know', confidential: true })
    const note = await ok(`POST ${P}/issues/1/notes`, { body: 'Is it #1 or #2?' })
    const emoji = `${P}/issues/1/notes/${note.id}/award_emoji`
    const own = await ok(`POST ${emoji}`, { name: 'tada' }, mary)
    await ok(`POST ${emoji}`, { name: 'tada' })
    await ok(`POST ${emoji}`, { name: 'eyes' })
    const listed = async (as: Person | null, query = '?with_details=true') => {
      const [, body] = await call(`GET ${P}/issues/1/discussions${query}`, undefined, as)
      const [discussion] = body as { notes: ShownNote[] }[]
      return discussion?.notes[0]
    }

    const ofMary = await listed(mary)
    expect(ofMary?.body_html).toMatch(/<a [^>]*>#1<\/a> or #2\?/)
    expect(ofMary?.award_emoji).toEqual([
      { name: 'tada', count: 2, own_id: own.id },
      { name: 'eyes', count: 1, own_id: null },
    ])
    const ofVisitor = await listed(null)
    expect(ofVisitor?.body_html).toBe(ofMary?.body_html)
    expect(ofVisitor?.award_emoji?.map(({ own_id }) => own_id)).toEqual([null, null])
    expect(await listed(mary, '')).not.toHaveProperty('body_html')

    const [, issue] = await call(`GET ${P}/issues/1?render_html=true`, undefined, null)
    expect((issue as { description_html: string }).description_html).toMatch(
      /^<p>See <strong>#2<\/strong> and <a [^>]*>@mary<\/a><\/p>\n$/,
    )
    expect((await call(`GET ${P}/issues/1`))[1]).not.toHaveProperty('description_html')
  })
})
