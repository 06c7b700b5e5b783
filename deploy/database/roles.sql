-- Run once, on the primary, as postgres:
--   psql -v owner_password=… -v service_password=… -f roles.sql
-- Then, as the owner: manage.py migrate, manage.py grant trefoil (docs/running.md).
CREATE ROLE trefoil_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE trefoil LOGIN PASSWORD :'service_password';
-- The limits that DATABASE_SECONDS asks for where there is no pooler.
ALTER ROLE trefoil SET statement_timeout = '120s';
CREATE DATABASE trefoil OWNER trefoil_owner;
\connect trefoil
REVOKE ALL ON SCHEMA public FROM PUBLIC;
ALTER SCHEMA public OWNER TO trefoil_owner;
