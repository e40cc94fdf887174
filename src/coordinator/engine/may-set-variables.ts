import type { ProjectRow } from './rows.js'

const MAINTAINER = 40

/** Whether an access level suffices to give variables to pipelines and jobs of the project (CI language, 9.2 row 4). */
export function maySetVariables(
  { restrict_user_defined_variables: isRestricted }: Pick<ProjectRow, 'restrict_user_defined_variables'>,
  accessLevel: number,
): boolean {
  return !isRestricted || accessLevel >= MAINTAINER
}
