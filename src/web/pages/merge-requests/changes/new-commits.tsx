import { queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'

interface NewCommitsProps {
  project: string
  /** The head whose changes are shown, and the new one. */
  from: string
  to: string
  onShow: () => void
}

/** Says that commits were pushed after what is shown, and shows them. */
export function NewCommits({ project, from, to, onShow }: NewCommitsProps) {
  const query = queryOf({ ref_name: `${from}..${to}`, per_page: 100 })
  const { data } = useRead<unknown[]>(`${projectApi(project)}/repository/commits${query}`)
  const count = data?.length ?? 0
  return (
    <div role="status">
      <Alert
        title={`${count === 0 ? 'Other commits were' : count === 1 ? '1 new commit was' : `${count} new commits were`} pushed.`}
        actions={
          <Button size="small" onClick={onShow}>
            Show the new version
          </Button>
        }
      />
    </div>
  )
}
