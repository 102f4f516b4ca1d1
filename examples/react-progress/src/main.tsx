import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { OrderPage } from './order-page.tsx';

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <OrderPage />
    </StrictMode>,
  );
