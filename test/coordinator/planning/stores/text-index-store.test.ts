import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { connectDatabase, type Database } from '../../../../src/coordinator/database/connect.js'
import { migrate } from '../../../../src/coordinator/database/migrate.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import {
  indexDueTexts,
  textCandidates,
} from '../../../../src/coordinator/planning/stores/text-index-store.js'
import {
  createEmptyPostgres,
  describeOnEachDatabase,
  type OpenDatabase,
  openPostgres,
  openSqlite,
} from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { IS_NIGHTLY, sampled, testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { cutAtSqliteWrite } from '../../support/statement-hooks.js'
import { openMergeRequestScene } from '../merge-requests/scene.js'

const openScene = sceneForFile(openMergeRequestScene)

const TEXTS = [
  'needle',
  'A NEEDLE in HAY',
  'nee\ndle',
  'say "needles" %_\\ 100%',
  'GRÖSSE größe',
  '日本語テキスト',
  '🦓🦓🦓 zebra',
  'ab',
  "it's; drop table",
  'a b  c',
]

const ALL_SEARCHES = [
  ...TEXTS.map((text) => text.replaceAll('\n', ' ')),
  ...[
    'needle',
    'NEEDLE',
    'eed',
    'ee',
    'e',
    '"needles"',
    '%_\\',
    '%',
    '100%',
    'größe',
    '本語テ',
    '本',
    '🦓🦓🦓',
  ],
  ...['🦓', 'AND', 'needle OR', '*', '"', '""""', "it's", 'b  c', 'none', 'title:needle', '(((', 'needle*'],
]
const SEARCHES = sampled(ALL_SEARCHES, 6)
/** For one of title and description alone. */
const FEW_SEARCHES = sampled(['needle', 'ee', '"needles"', '%_\\', 'größe', '本語テ', '本', 'none'], 2)

function index(database: Database): Promise<void> {
  return indexDueTexts(database, new AbortController().signal)
}

/** Issues and merge requests with the texts as titles or descriptions, and what lists find. */
async function openTexts(open: OpenDatabase) {
  const scene = await openScene(open)
  const { ok, make, titles, P } = scene
  for (const [at, text] of TEXTS.entries()) {
    const body = at % 2 === 0 ? { title: text.replaceAll('\n', ' ') } : { title: `t${at}`, description: text }
    await ok(`POST ${P}/issues`, body)
    await make({ ...body, source_branch: `b${at}` })
  }
  const list = async (search: string, more = '') => {
    const query = `search=${encodeURIComponent(search)}${more}`
    const all = [`${P}/issues?`, '/issues?scope=all&', `${P}/merge_requests?`, '/merge_requests?scope=all&']
    return Promise.all(all.map((path) => titles(`${path}${query}`)))
  }
  return { ...scene, list }
}

describeOnEachDatabase('a search for text', (open) => {
  test('finds the same after texts were indexed as before', async () => {
    const { database, list } = await openTexts(open)
    const each = (searches: string[], more = '') => Promise.all(searches.map((search) => list(search, more)))
    const all = async () => [
      await each(SEARCHES),
      await each(FEW_SEARCHES, '&in=title'),
      await each(FEW_SEARCHES, '&in=description'),
    ]
    const before = await all()
    expect(before[0]?.filter(([found]) => found?.length === 0).length).toBeLessThan(10)
    await index(database)
    expect(await all()).toEqual(before)
  })

  test('finds what was changed and not what was deleted, before and after that is indexed', async () => {
    const { database, list, ok, P } = await openTexts(open)
    await index(database)
    expect(await list('quokka')).toEqual([[], [], [], []])
    await ok(`PUT ${P}/issues/1`, { title: 'quokkas' })
    await ok(`PUT ${P}/merge_requests/2`, { description: 'a quokka' })
    await ok(`DELETE ${P}/issues/7`)
    const check = async () => {
      expect(await list('quokka')).toEqual([['quokkas'], ['quokkas'], ['t1'], ['t1']])
      expect((await list('NEEDLE')).map(({ length }) => length)).toEqual([2, 2, 2, 2])
      expect((await list('zebra')).map(({ length }) => length)).toEqual([0, 0, 1, 1])
    }
    await check()
    await index(database)
    await check()
  })
})

test('only what may contain the text is read, unless it is common or short', async () => {
  const { database } = await openTexts(openSqlite)
  await index(database)
  const candidates = async (search: string) => {
    const conditions = await textCandidates(database, 'issue', { search })
    if (conditions.length === 0) return undefined
    const ids = database.selectFrom('issue').select('title').orderBy('id')
    const rows = await conditions.reduce((query, condition) => query.where(condition), ids).execute()
    return rows.map(({ title }) => title)
  }
  expect(await candidates('zebra')).toEqual(['🦓🦓🦓 zebra'])
  expect(await candidates('quokka')).toEqual([])
  expect(await candidates('ze')).toBeUndefined()
  expect(await candidates('ze\0bra')).toBeUndefined()
  await sql`insert into issue_text_due
    with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i <= 5000)
    select i from numbers`.execute(database)
  expect(await candidates('zebra')).toBeUndefined()
  await index(database)
  expect(await candidates('zebra')).toEqual(['🦓🦓🦓 zebra'])
})

testAtNight(
  'long descriptions are found without being indexed, until they are shortened or deleted',
  async () => {
    const { database, list, ok, P } = await openTexts(openSqlite)
    const description = `${'long '.repeat(5000)}wombat`
    await ok(`PUT ${P}/issues/1`, { description })
    await ok(`PUT ${P}/merge_requests/1`, { description })
    await index(database)
    await index(database)
    const marks = async () => {
      const { rows } = await sql<{ id: number }>`
      select id from issue_text_due union all select id from merge_request_text_due`.execute(database)
      return rows.map(({ id }) => Math.sign(id))
    }
    const found = async () => (await list('wombat')).map(({ length }) => length)
    expect(await marks()).toEqual([-1, -1])
    expect(await found()).toEqual([1, 1, 1, 1])
    await ok(`PUT ${P}/issues/1`, { description: 'a short wombat' })
    await ok(`PUT ${P}/merge_requests/1`, { description: null })
    expect(await found()).toEqual([1, 1, 0, 0])
    await index(database)
    expect(await found()).toEqual([1, 1, 0, 0])
    expect(await marks()).toEqual([])
    await ok(`PUT ${P}/issues/1`, { description })
    await index(database)
    await ok(`DELETE ${P}/issues/1`)
    await index(database)
    expect(await marks()).toEqual([])
  },
)

test('a coordinator that is killed before any write of the index leaves nothing out', async () => {
  const { database, list, ok, P } = await openTexts(openSqlite)
  await index(database)
  const change = async (title: string) => {
    await ok(`PUT ${P}/issues/1`, { title })
    await ok(`PUT ${P}/merge_requests/1`, { title })
  }
  await change('counted')
  const writes = await cutAtSqliteWrite(Infinity, () => index(database))
  expect(writes).toBeGreaterThanOrEqual(8)
  const points = Array.from({ length: writes }, (_, index) => index + 1)
  for (const at of sampled(points, 4)) {
    const title = `marmot ${at}.`
    await change(title)
    await cutAtSqliteWrite(at, () => index(database).catch(() => undefined))
    expect(await list(title)).toEqual([[title], [title], [title], [title]])
  }
  await index(database)
  const { rows } =
    await sql`select id from issue_text_due union all select id from merge_request_text_due`.execute(database)
  expect(rows).toEqual([])
})

// To migrate an empty PostgreSQL takes seconds.
test.runIf(IS_NIGHTLY)(
  'PostgreSQL has no index where the coordinator may not create the extension',
  async () => {
    const url = new URL(await createEmptyPostgres())
    const role = `without_rights_${randomBytes(4).toString('hex')}`
    const owner = connectDatabase({ dialect: 'postgres', url: url.href })
    onFinished(async () => {
      await sql`drop owned by ${sql.id(role)}`.execute(owner)
      await sql`drop role ${sql.id(role)}`.execute(owner)
      await owner.destroy()
    })
    await sql`create role ${sql.id(role)} login password 'secret'`.execute(owner)
    await sql`grant create on schema public to ${sql.id(role)}`.execute(owner)
    url.username = role
    url.password = 'secret'
    const settings = { dialect: 'postgres', url: url.href } as const
    const database = connectDatabase(settings)
    try {
      await migrate(database, settings)
      const { rows } = await sql`select indexname from pg_indexes where indexname like '%_by_text'`.execute(
        owner,
      )
      expect(rows).toEqual([])
      expect(await textCandidates(database, 'issue', { search: 'text', in: 'title' })).toHaveLength(1)
    } finally {
      await database.destroy()
    }
  },
)

test('PostgreSQL has the index where it may', async () => {
  const { database } = await openPostgres()
  const { rows } = await sql`select indexname from pg_indexes where indexname like '%_by_text'
      order by indexname`.execute(database)
  expect(rows).toEqual([{ indexname: 'issue_by_text' }, { indexname: 'merge_request_by_text' }])
  const plan = await inTransaction(database, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    return sql<{ 'QUERY PLAN': string }>`explain select id from issue
      where lower((issue.title || ${sql.lit('\n')} || coalesce(issue.description, ''))) like '%text%'`.execute(
      tx,
    )
  })
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('issue_by_text')
})
