/** @param name of the backup; by default the newest */
export async function verifyInstanceBackup(folder: string, name?: string): Promise<void> {
  process.umask(0o077)
  const { verifyBackup } = await import('../../../coordinator/backup/verify-backup.js')
  const { files, repositories, problems, missing, name: checked } = await verifyBackup(folder, name)
  for (const path of missing) console.error(`switchyard: the installation lacked ${path} at that time`)
  for (const problem of problems) console.error(`switchyard: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else
    console.log(`Backup ${checked} is sound: ${files} files, ${repositories} repositories and the database`)
}
