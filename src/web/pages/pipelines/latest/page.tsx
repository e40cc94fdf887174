import { Workflow } from 'lucide'
import { useEffect } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { RequestError } from '../../../api/client.js'
import { useRead } from '../../../api/use-read.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'

/** Leads to the latest pipeline of a branch, by default of the default branch. */
export function Page({ params: { project } }: { params: { project: string } }) {
  const [search] = useSearch()
  const ref = search.get('ref')
  const query = ref === null ? '' : `?ref=${encodeURIComponent(ref)}`
  const read = useRead<{ id: number }>(`${projectApi(project)}/pipelines/latest${query}`)
  const id = read.data?.id
  useEffect(() => {
    if (id !== undefined) {
      navigate(addressOf('pipelines/pipeline', { project, id: String(id) }), { replaces: true })
    }
  }, [id, project])
  if (read.error instanceof RequestError && read.error.status === 404) {
    return (
      <>
        <PageHeader title="Latest pipeline" />
        <Panel>
          <Empty
            icon={Workflow}
            title={`No pipeline has run ${ref === null ? 'on the default branch' : `on ${ref}`} yet.`}
          >
            <a href={addressOf('pipelines/list', { project })}>All pipelines</a>
          </Empty>
        </Panel>
      </>
    )
  }
  return (
    <Read of={read} title="Latest pipeline">
      {() => null}
    </Read>
  )
}
