/** The licences of what is bundled into the programs and the pages, in a built tree. */
export const BUNDLED_LICENCES = ['dist/THIRD-PARTY-LICENSES.txt', 'dist/web/assets/THIRD-PARTY-LICENSES.txt']
