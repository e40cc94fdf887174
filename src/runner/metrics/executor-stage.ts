/** The activity of the executor during a stage of a job: the label `executor_stage` (runner protocol, 9.7). */
export function executorStage(stage: string): string {
  if (stage === 'prepare_executor') return 'docker_preparing'
  return stage.startsWith('step_') || stage === 'after_script' ? 'docker_run' : ''
}
