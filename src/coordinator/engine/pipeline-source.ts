/** Sources whose pipelines do not count as the latest of a ref or a commit (CI language, 9.1). */
export const DANGLING_SOURCES = ['parent_pipeline'] as const
