"""The arena's own service: accounts, engines that are submitted, and what becomes of them.

docs/arena-service.md is the operator's page. Everything here runs in one event loop, beside one
thread for the service's database.
"""
