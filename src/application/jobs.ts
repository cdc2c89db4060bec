/** Work that is done again and again, less often than every second or beside other work. */
export interface Job {
  /** For the log. */
  name: string
  /** A run begins so long after the last one began, unless that one still runs. */
  everyMs: number
  work: () => Promise<unknown>
}

/** A table of jobs with the times when they are due. */
export interface Jobs {
  /** Starts the jobs that are due. It waits for none of them, so that a long one holds up no other. */
  round(): Promise<void>
  /** The job is due in the next round. */
  hasten(name: string): void
}

/** All jobs are due in the first round. @param onError called for each run that failed. */
export const createJobs = (
  jobs: readonly Job[],
  { monotonicMs, onError }: { monotonicMs: () => number; onError: (name: string, error: unknown) => void },
): Jobs => {
  const dueMs = new Map<string, number>()
  const running = new Set<string>()

  const run = async ({ name, everyMs, work }: Job): Promise<void> => {
    dueMs.set(name, monotonicMs() + everyMs)
    running.add(name)
    try {
      await work()
    } catch (error) {
      onError(name, error)
    } finally {
      running.delete(name)
    }
  }

  return {
    round: async () => {
      for (const job of jobs)
        if (!running.has(job.name) && (dueMs.get(job.name) ?? 0) <= monotonicMs()) void run(job)
    },
    hasten: (name) => void dueMs.delete(name),
  }
}
