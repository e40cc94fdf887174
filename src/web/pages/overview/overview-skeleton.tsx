import { useLocation } from '../../frame/location.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { Skeleton } from '../../kit/skeleton.js'

/** The outline of an overview while its record is read. */
export function OverviewSkeleton() {
  const { pathname } = useLocation()
  const name = decodeURIComponent(pathname.split('/').at(-1) ?? '')
  return (
    <>
      <PageHeader title={name} />
      <Panel isFlush>
        <Skeleton rows={8} />
      </Panel>
    </>
  )
}
