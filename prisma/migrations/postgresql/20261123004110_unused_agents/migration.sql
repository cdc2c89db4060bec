-- AlterTable
ALTER TABLE "Member" ADD COLUMN     "resumedAt" TIMESTAMP(3);
