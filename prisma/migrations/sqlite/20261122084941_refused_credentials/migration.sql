-- AlterTable
ALTER TABLE "Account" ADD COLUMN "refusalToldAt" DATETIME;
ALTER TABLE "Account" ADD COLUMN "verifyAt" DATETIME;
