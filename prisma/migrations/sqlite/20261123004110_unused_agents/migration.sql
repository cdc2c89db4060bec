-- AlterTable
ALTER TABLE "Member" ADD COLUMN "resumedAt" DATETIME;
