/** Labels that buttons of several features have. They are plain text, as all labels are. */

export const labels = {
  back: '‹ Back',
  leave: '✖️ Cancel',
  tryAgain: '🔄 Try again',
  confirm: '✅ Confirm',
  cancel: '❌ Cancel',
  refresh: '🔄 Refresh',
  previous: '◀',
  next: '▶',
  home: '🏠 Home',
  copyReference: '📋 Copy reference',
  copyText: '📋 Copy text',
} as const
