import { PageHeader } from '../../kit/panel.js'

export function Page() {
  return <PageHeader title="Home" />
}
