import { useEffect } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'

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
  return <Read of={read}>{() => null}</Read>
}
