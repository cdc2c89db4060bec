import type { Feature } from '../feature.ts'
import { member } from '../guards/guards.ts'
import { isReferenceOrList } from '../guards/texts.ts'
import { begin, pressExport, stop, takePeriod } from './export.ts'

/** Exporting orders or wallet entries as files. */
export const exporting = {
  commands: {
    export: { run: member(begin) },
  },
  presses: {
    export: (ctx, { act }) => (act.act === 'stop' ? stop(ctx) : member(pressExport)(ctx, act)),
  },
  questions: {
    period: {
      staysFor: isReferenceOrList,
      text: member(takePeriod),
    },
  },
} satisfies Feature
