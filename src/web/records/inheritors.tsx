import { useState } from 'preact/hooks'

import { groupApi } from '../../addresses/first-reads.js'
import type { Group } from '../../coordinator/accounts/groups/schema.js'
import type { SimpleProject } from '../../coordinator/hosting/projects/record/schema.js'
import { type ReadList, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { ReadRows } from '../frame/problem.js'
import { Button } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { Dialog } from '../kit/dialog.js'
import { ScrollList } from '../kit/scroll-list.js'

/** How many projects and subgroups inherit from a group, and which. Without any, it says so. */
export function Inheritors({ group }: { group: string }) {
  const [isOpen, setOpen] = useState(false)
  const base = groupApi(group)
  const projects = useReadList<SimpleProject>(
    `${base}/projects?include_subgroups=true&with_shared=false&simple=true&order_by=path&sort=asc&per_page=50`,
  )
  const subgroups = useReadList<Group>(`${base}/descendant_groups?per_page=50`)
  if (!projects.result.data || !subgroups.result.data) return null
  const counts = [
    countOf(projects, 'project', 'projects'),
    countOf(subgroups, 'subgroup', 'subgroups'),
  ].filter((count) => count !== undefined)
  if (counts.length === 0) return <span>There is no project or subgroup inside yet.</span>
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Inherited by {counts.join(' and ')}
      </Button>
      {isOpen && (
        <Dialog
          title="Inherited by"
          onClose={() => setOpen(false)}
          actions={<Button onClick={() => setOpen(false)}>Close</Button>}
        >
          <InheritorList
            name="Projects"
            list={projects}
            rows={projects.rows.map(({ path_with_namespace: path }) => ({ path, href: `/${path}` }))}
          />
          <InheritorList
            name="Subgroups"
            list={subgroups}
            rows={subgroups.rows.map(({ full_path: path }) => ({ path, href: `/groups/${path}` }))}
          />
        </Dialog>
      )}
    </>
  )
}

/** Undefined for none. The server does not count very long lists. */
function countOf(
  { total, rows }: Pick<ReadList<unknown>, 'total' | 'rows'>,
  one: string,
  several: string,
): string | undefined {
  const count = total ?? rows.length
  if (count === 0) return undefined
  return `${formatCount(count, total === undefined)} ${count === 1 ? one : several}`
}

interface InheritorListProps {
  name: string
  list: Pick<ReadList<unknown>, 'result' | 'next'>
  rows: { path: string; href: string }[]
}

function InheritorList({ name, list: { result, next }, rows }: InheritorListProps) {
  if (rows.length === 0) return null
  return (
    <>
      <h3>{name}</h3>
      <ReadRows of={{ rows, result }} outline={3} empty={null}>
        <ScrollList label={name}>
          {rows.map(({ path, href }) => (
            <li key={path}>
              <a href={href}>{path}</a>
            </li>
          ))}
        </ScrollList>
      </ReadRows>
      <LoadMore of={name.toLowerCase()} next={next} />
    </>
  )
}
